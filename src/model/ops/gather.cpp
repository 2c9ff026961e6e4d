// gather: the entries of a table along an axis that indices name; the embedding layer. Indices
// outside the table take its nearest end.
#include <fmt/format.h>

#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_gather(const OpCall& call) {
  const Shape& table = call.shape(0);
  const Shape& indices = call.shape(1);
  PLIM_ASSIGN(const int axis, normalise_axis(call.attributes.integer("axis", 0), table.rank()));
  PLIM_TRY(check_indices(call, 1));
  if (table[axis] == 0 && indices.elements() != Count(0))
    return user_error(fmt::format("axis {} of {} has nothing to gather", axis, table.text()));
  Shape shape;
  for (int i = 0; i < axis; ++i) shape.push_back(table[i]);
  for (const int64_t size : indices) shape.push_back(size);
  for (int i = axis + 1; i < table.rank(); ++i) shape.push_back(table[i]);
  return std::vector{TensorType{call.dtype(0), shape}};
}

bool reference_gather(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (out[0].size() == 0) return true;
  const Shape& table = in[0].shape();
  const int axis = *normalise_axis(call.attributes.integer("axis", 0), table.rank());
  const int64_t outer = table.elements(0, axis).value(), entries = table[axis];
  const size_t block = size_t(table.elements(axis + 1, table.rank()).value()) * element_size(in[0].dtype());
  const auto indices = integers_of(in[1]);
  std::byte* to = out[0].data;
  for (int64_t i = 0; i < outer; ++i)
    for (const int64_t index : indices) {
      std::memcpy(to, in[0].data + size_t(i * entries + clamp_index(index, entries)) * block, block);
      to += block;
    }
  return true;
}

// The entries that are asked for, not the whole table.
Bytes moved_gather(const OpCall& call) { return call.type(1).bytes() + call.outputs[0].bytes() * 2; }

std::vector<OpExample> examples_gather() {
  return {{"embedding", {}, {example::f32({7, 4}), example::i64({2, 3})}},
          {"inner axis", {{"axis", int64_t{1}}}, {example::f32({2, 5, 3}), example::ints({-1, 0, 4})}},
          {"one size of a shape", {}, {example::ints({2, 3, 4}), example::known(integer_scalar(1))}}};
}

}  // namespace

const Op& gather_op() {
  static const Op op{.name = "gather",
                     .kind = OpKind::movement,
                     .onnx = {"Gather"},
                     .roles = "wx",
                     .required_inputs = 2,
                     .infer = infer_gather,
                     .reference = reference_gather,
                     .gradient = movement_gradient<gather_op>,
                     .examples = examples_gather,
                     .moved = moved_gather};
  return op;
}

}  // namespace plimsoll
