// gather_elements: for every index, the element of the data at its own place but for one axis,
// where the index says. Indices outside take the nearest end.
#include <fmt/format.h>

#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_gather_elements(const OpCall& call) {
  const Shape& data = call.shape(0);
  const Shape& indices = call.shape(1);
  PLIM_ASSIGN(const int axis, normalise_axis(call.attributes.integer("axis", 0), data.rank()));
  PLIM_TRY(check_indices(call, 1));
  bool fits = data.rank() == indices.rank();
  for (int i = 0; fits && i < data.rank(); ++i)
    fits = i == axis ? data[i] > 0 || indices[i] == 0 : indices[i] <= data[i];
  if (!fits)
    return user_error(fmt::format("indices {} do not fit data {} along axis {}", indices.text(), data.text(), axis));
  return std::vector{TensorType{call.dtype(0), indices}};
}

bool reference_gather_elements(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const Shape& data = in[0].shape();
  const auto axis = size_t(*normalise_axis(call.attributes.integer("axis", 0), data.rank()));
  const auto strides = data.strides();
  const auto indices = integers_of(in[1]);
  const size_t size = element_size(in[0].dtype());
  for_each_index(out[0].shape(), [&](int64_t to, const std::vector<int64_t>& at) {
    int64_t from = clamp_index(indices[size_t(to)], data[int(axis)]) * strides[axis];
    for (size_t i = 0; i < at.size(); ++i)
      if (i != axis) from += at[i] * strides[i];
    copy_element(in[0], from, out[0], to, size);
  });
  return true;
}

Bytes moved_gather_elements(const OpCall& call) { return call.type(1).bytes() + call.outputs[0].bytes() * 2; }

std::vector<OpExample> examples_gather_elements() {
  return {{"rows", {{"axis", int64_t{1}}}, {example::f32({2, 3}), example::i64({2, 4})}},
          {"columns", {{"axis", int64_t{-2}}}, {example::f32({2, 3}), example::i64({2, 3})}}};
}

}  // namespace

const Op& gather_elements_op() {
  static const Op op{.name = "gather_elements",
                     .kind = OpKind::movement,
                     .onnx = {"GatherElements"},
                     .required_inputs = 2,
                     .infer = infer_gather_elements,
                     .reference = reference_gather_elements,
                     .gradient = movement_gradient<gather_elements_op>,
                     .examples = examples_gather_elements,
                     .moved = moved_gather_elements};
  return op;
}

}  // namespace plimsoll
