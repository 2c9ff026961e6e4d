// scatter_nd: the data, with the elements or blocks that index tuples name replaced by or combined
// with updates. Indices outside take the nearest end.
#include <fmt/format.h>

#include "model/ops/copy.h"
#include "model/ops/example.h"
#include "model/ops/scatter.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_scatter_nd(const OpCall& call) {
  const Shape& data = call.shape(0);
  const Shape& indices = call.shape(1);
  PLIM_TRY(read_reduction(call.attributes));
  PLIM_TRY(check_indices(call, 1));
  PLIM_TRY(check_same_dtype(call, 2, 3));
  const int64_t tuple = indices.rank() > 0 ? indices[indices.rank() - 1] : 0;
  if (tuple < 1 || tuple > data.rank())
    return user_error(fmt::format("indices {} do not name elements of data {}", indices.text(), data.text()));
  Shape wanted;
  for (int axis = 0; axis < indices.rank() - 1; ++axis) wanted.push_back(indices[axis]);
  for (int64_t axis = tuple; axis < data.rank(); ++axis) wanted.push_back(data[int(axis)]);
  if (call.shape(2) != wanted)
    return user_error(fmt::format("updates have the shape {}, expected {} for indices {} into {}", call.shape(2).text(),
                                  wanted.text(), indices.text(), data.text()));
  if (data.elements() == Count(0) && wanted.elements() != Count(0))
    return user_error(fmt::format("data {} has no element to update", data.text()));
  return std::vector{call.type(0)};
}

bool reference_scatter_nd(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const ScatterReduction reduction = *read_reduction(call.attributes);
  if (reduction != ScatterReduction::none && in[0].dtype() == DType::boolean) return false;
  copy_reference(call, in, out);
  if (in[2].size() == 0) return true;
  const Shape& data = in[0].shape();
  const auto tuple = int(in[1].shape()[in[1].shape().rank() - 1]);
  const auto indices = integers_of(in[1]);
  const auto strides = data.strides();
  const int64_t block = data.elements(tuple, data.rank()).value();
  const int64_t* index = indices.data();
  for (int64_t t = 0; t < int64_t(indices.size()) / tuple; ++t) {
    int64_t to = 0;
    for (int axis = 0; axis < tuple; ++axis) to += clamp_index(*index++, data[axis]) * strides[size_t(axis)];
    for (int64_t i = 0; i < block; ++i) scatter_one(reduction, in[2], t * block + i, out[0], to + i);
  }
  return true;
}

std::vector<OpExample> examples_scatter_nd() {
  using example::f32, example::i64;
  Tensor places = integer_tensor({4, 7, 0, -2});  // which differ, as they have to where updates replace
  places.type.shape = {4, 1};
  return {{"elements", {}, {f32({8}), example::known(places), f32({4})}, 1, false},
          {"blocks, added", {{"reduction", std::string("add")}}, {f32({4, 3}), i64({2, 1}), f32({2, 3})}}};
}

}  // namespace

const Op& scatter_nd_op() {
  static const Op op{.name = "scatter_nd",
                     .onnx = {"ScatterND"},
                     .required_inputs = 3,
                     .infer = infer_scatter_nd,
                     .cost = scatter_cost,
                     .reference = reference_scatter_nd,
                     .gradient = [](Backward& backward) { scatter_gradient(backward, "gather_nd"); },
                     .examples = examples_scatter_nd,
                     .moved = scatter_moved};
  return op;
}

}  // namespace plimsoll
