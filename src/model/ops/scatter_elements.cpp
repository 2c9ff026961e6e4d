// scatter_elements: the data, with the element at each update's own place — but for one axis, where
// the index says — replaced by or combined with the update. Indices outside take the nearest end.
#include <fmt/format.h>

#include "model/ops/copy.h"
#include "model/ops/example.h"
#include "model/ops/scatter.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_scatter_elements(const OpCall& call) {
  const Shape& data = call.shape(0);
  const Shape& indices = call.shape(1);
  PLIM_ASSIGN(const int axis, normalise_axis(call.attributes.integer("axis", 0), data.rank()));
  PLIM_TRY(read_reduction(call.attributes));
  PLIM_TRY(check_indices(call, 1));
  PLIM_TRY(check_same_dtype(call, 2, 3));
  bool fits = data.rank() == indices.rank() && call.shape(2) == indices;
  for (int i = 0; fits && i < data.rank(); ++i)
    fits = i == axis ? data[i] > 0 || indices[i] == 0 : indices[i] <= data[i];
  if (!fits)
    return user_error(fmt::format("indices {} and updates {} do not fit data {} along axis {}", indices.text(),
                                  call.shape(2).text(), data.text(), axis));
  return std::vector{call.type(0)};
}

bool reference_scatter_elements(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const ScatterReduction reduction = *read_reduction(call.attributes);
  if (reduction != ScatterReduction::none && in[0].dtype() == DType::boolean) return false;
  copy_reference(call, in, out);
  const Shape& data = in[0].shape();
  const auto axis = size_t(*normalise_axis(call.attributes.integer("axis", 0), data.rank()));
  const auto strides = data.strides();
  const auto indices = integers_of(in[1]);
  for_each_index(in[1].shape(), [&](int64_t from, const std::vector<int64_t>& at) {
    int64_t to = clamp_index(indices[size_t(from)], data[int(axis)]) * strides[axis];
    for (size_t i = 0; i < at.size(); ++i)
      if (i != axis) to += at[i] * strides[i];
    scatter_one(reduction, in[2], from, out[0], to);
  });
  return true;
}

std::vector<OpExample> examples_scatter_elements() {
  const auto inputs = [](OpExample::Input indices) {
    return std::vector<OpExample::Input>{example::f32({2, 5}), std::move(indices), example::f32({2, 2})};
  };
  const auto how = [](const char* reduction) {
    return Attributes{{"axis", int64_t{1}}, {"reduction", std::string(reduction)}};
  };
  Tensor places = integer_tensor({4, 1, 0, -2});  // which differ, as they have to where updates replace
  places.type.shape = {2, 2};
  return {{"replace", how("none"), inputs(example::known(places)), 1, false},
          {"add", how("add"), inputs(example::i64({2, 2}))},
          {"largest", how("max"), inputs(example::i64({2, 2})), 1, true, false}};
}

}  // namespace

const Op& scatter_elements_op() {
  static const Op op{.name = "scatter_elements",
                     .onnx = {"ScatterElements", "Scatter"},
                     .required_inputs = 3,
                     .infer = infer_scatter_elements,
                     .cost = scatter_cost,
                     .reference = reference_scatter_elements,
                     .gradient = [](Backward& backward) { scatter_gradient(backward, "gather_elements"); },
                     .examples = examples_scatter_elements,
                     .moved = scatter_moved};
  return op;
}

}  // namespace plimsoll
