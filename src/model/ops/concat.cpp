// concat: tensors one after the other along an axis.
#include <fmt/format.h>

#include "model/ops/all_ops.h"
#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_concat(const OpCall& call) {
  Shape shape = call.shape(0);
  PLIM_ASSIGN(const int axis, normalise_axis(call.attributes.integer("axis", 1), shape.rank()));
  PLIM_TRY(check_same_dtype(call, 1, call.input_count()));
  Count along(shape[axis]);
  for (size_t i = 1; i < call.input_count(); ++i) {
    if (!call.has(i)) return user_error(fmt::format("input {} is missing", i));
    Shape other = call.shape(i);
    const bool same_rank = other.rank() == shape.rank();
    if (same_rank) {
      along += Count(other[axis]);
      other[axis] = shape[axis];
    }
    if (other != shape)
      return user_error(fmt::format("input {} of shape {} does not join {} along axis {}", i, call.shape(i).text(),
                                    call.shape(0).text(), axis));
  }
  shape[axis] = along.value();
  return std::vector{TensorType{call.dtype(0), shape}};
}

bool reference_concat(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (out[0].size() == 0) return true;
  const int rank = out[0].shape().rank();
  const int axis = *normalise_axis(call.attributes.integer("axis", 1), rank);
  const int64_t outer = out[0].shape().elements(0, axis).value();
  const size_t size = element_size(out[0].dtype());
  std::byte* to = out[0].data;
  for (int64_t i = 0; i < outer; ++i)
    for (const auto& part : in) {
      const size_t block = size_t(part.shape().elements(axis, rank).value()) * size;
      if (block > 0) std::memcpy(to, part.data + size_t(i) * block, block);
      to += block;
    }
  return true;
}

std::vector<OpExample> examples_concat() {
  return {{"channels", {{"axis", int64_t{1}}}, {example::f32({2, 3, 4}), example::f32({2, 1, 4})}},
          {"last axis", {{"axis", int64_t{-1}}}, {example::f32({2, 3}), example::f32({2, 2}), example::f32({2, 4})}},
          {"shape arithmetic", {{"axis", int64_t{0}}}, {example::ints({1, 2}), example::ints({-1})}}};
}

void gradient_concat(Backward& backward) {
  const int64_t axis = backward.attributes().integer("axis", 1);
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < backward.call().input_count(); ++i)
    sizes.push_back(backward.call().shape(i)[*normalise_axis(axis, backward.call().shape(i).rank())]);
  const auto parts =
      backward.emit(op_named("split"), {backward.gradient()}, {{"axis", axis}, {"split", sizes}}, sizes.size());
  for (size_t i = 0; i < parts.size(); ++i)
    if (backward.wants(i)) backward.set(i, parts[i]);
}

}  // namespace

const Op& concat_op() {
  static const Op op{.name = "concat",
                     .kind = OpKind::movement,
                     .before_activation = true,
                     .onnx = {"Concat"},
                     .infer = infer_concat,
                     .reference = reference_concat,
                     .gradient = gradient_concat,
                     .examples = examples_concat};
  return op;
}

}  // namespace plimsoll
