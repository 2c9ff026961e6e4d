// split: a tensor cut along an axis, into parts of given sizes or into equal ones (the last one
// smaller where num_outputs asks for it).
#include <fmt/format.h>

#include "model/ops/all_ops.h"
#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<int64_t>> equal_parts(const OpCall& call, int64_t size) {
  const bool uneven = call.attributes.has("num_outputs");
  const auto parts = int64_t(call.output_count());
  if (uneven && call.attributes.integer("num_outputs", 0) != parts)
    return user_error(
        fmt::format("num_outputs is {} but {} outputs are named", call.attributes.integer("num_outputs", 0), parts));
  if (parts < 1) return user_error("has no outputs");
  const int64_t part = size / parts + (size % parts != 0);
  const int64_t last = size - part * (parts - 1);
  if (last < 0 || (last != part && !uneven))
    return user_error(fmt::format("an axis of size {} does not split into {} equal parts", size, parts));
  std::vector<int64_t> sizes(size_t(parts), part);
  sizes.back() = last;
  return sizes;
}

Result<std::vector<TensorType>> infer_split(const OpCall& call) {
  const Shape& from = call.shape(0);
  PLIM_ASSIGN(const int axis, normalise_axis(call.attributes.integer("axis", 0), from.rank()));
  PLIM_ASSIGN(auto sizes, call.integers("split", 1));
  if (!sizes) {
    PLIM_ASSIGN(sizes, equal_parts(call, from[axis]));
  }
  Count total;
  for (const int64_t size : *sizes) {
    if (size < 0) return user_error(fmt::format("split into {}: a size is negative", fmt::join(*sizes, ", ")));
    total += Count(size);
  }
  if (total != Count(from[axis]))
    return user_error(
        fmt::format("split into {} does not add up to axis {} of {}", fmt::join(*sizes, ", "), axis, from.text()));
  std::vector<TensorType> outputs;
  for (const int64_t size : *sizes) {
    outputs.push_back(call.type(0));
    outputs.back().shape[axis] = size;
  }
  return outputs;
}

bool reference_split(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (in[0].size() == 0) return true;
  const int rank = in[0].shape().rank();
  const int axis = *normalise_axis(call.attributes.integer("axis", 0), rank);
  const int64_t outer = in[0].shape().elements(0, axis).value();
  const size_t size = element_size(in[0].dtype());
  const std::byte* from = in[0].data;
  for (int64_t i = 0; i < outer; ++i)
    for (size_t k = 0; k < call.outputs.size(); ++k) {
      const size_t block = size_t(call.outputs[k].shape.elements(axis, rank).value()) * size;
      if (block > 0 && out[k].present()) std::memcpy(out[k].data + size_t(i) * block, from, block);
      from += block;
    }
  return true;
}

std::vector<OpExample> examples_split() {
  using example::Ints;
  return {{"equal", {{"axis", int64_t{1}}}, {example::f32({2, 6, 3})}, 3},
          {"sizes as input", {{"axis", int64_t{-1}}}, {example::f32({2, 6}), example::ints({1, 5})}, 2},
          {"sizes as attribute", {{"axis", int64_t{1}}, {"split", Ints{4, 2}}}, {example::f32({2, 6})}, 2},
          {"uneven", {{"axis", int64_t{1}}, {"num_outputs", int64_t{2}}}, {example::f32({2, 7})}, 2}};
}

// The parts' gradients side by side; a part that the loss does not depend on has zeros.
void gradient_split(Backward& backward) {
  std::vector<ValueId> parts;
  for (size_t i = 0; i < backward.call().outputs.size(); ++i) {
    parts.push_back(backward.gradient(i));
    if (!parts.back().present()) parts.back() = zeros(backward, backward.output_type(i));
  }
  backward.set(0, backward.emit(op_named("concat"), parts, {{"axis", backward.attributes().integer("axis", 0)}}));
}

}  // namespace

const Op& split_op() {
  static const Op op{.name = "split",
                     .kind = OpKind::movement,
                     .onnx = {"Split"},
                     .roles = "xc",
                     .infer = infer_split,
                     .reference = reference_split,
                     .gradient = gradient_split,
                     .examples = examples_split,
                     .strided_view = true};
  return op;
}

}  // namespace plimsoll
