// center_crop_pad: cut or padded with 0 around the centre until the named axes have given sizes.
#include <fmt/format.h>

#include "model/ops/element_moves.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_center_crop_pad(const OpCall& call) {
  Shape shape = call.shape(0);
  PLIM_ASSIGN(const auto sizes, call.integers("shape", 1));
  std::vector<int64_t> all;
  for (int axis = 0; axis < shape.rank(); ++axis) all.push_back(axis);
  PLIM_ASSIGN(const auto axes, read_axes(call.attributes.integers("axes", all), shape.rank()));
  if (!sizes || sizes->size() != axes.size())
    return user_error(
        fmt::format("{} sizes are given for {} axes of {}", sizes ? sizes->size() : 0, axes.size(), shape.text()));
  for (size_t i = 0; i < axes.size(); ++i) {
    if ((*sizes)[i] < 0) return user_error(fmt::format("size {} at axis {} is negative", (*sizes)[i], axes[i]));
    shape[axes[i]] = (*sizes)[i];
  }
  return std::vector{TensorType{call.dtype(0), shape}};
}

bool reference_center_crop_pad(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  const Shape& from = in[0].shape();
  const Shape& to_shape = out[0].shape();
  const auto strides = from.strides();
  const size_t size = element_size(in[0].dtype());
  for_each_index(to_shape, [&](int64_t to, const std::vector<int64_t>& at) {
    int64_t offset = 0;
    bool inside = true;
    for (size_t axis = 0; axis < at.size() && inside; ++axis) {
      const int64_t have = from[int(axis)], want = to_shape[int(axis)];
      const int64_t place = at[axis] + (have > want ? (have - want) / 2 : -((want - have) / 2));
      inside = place >= 0 && place < have;
      offset += inside ? place * strides[axis] : 0;
    }
    if (inside) copy_element(in[0], offset, out[0], to, size);
    else std::memset(out[0].data + size_t(to) * size, 0, size);
  });
  return true;
}

std::vector<OpExample> examples_center_crop_pad() {
  return {{"crop and pad", {{"axes", example::Ints{1, 2}}}, {example::f32({2, 5, 3}), example::ints({2, 6})}},
          {"all axes", {}, {example::f32({2, 3}), example::ints({4, 2})}}};
}

}  // namespace

const Op& center_crop_pad_op() {
  static const Op op{.name = "center_crop_pad",
                     .onnx = {"CenterCropPad"},
                     .roles = "xc",
                     .required_inputs = 2,
                     .infer = infer_center_crop_pad,
                     .reference = reference_center_crop_pad,
                     .gradient = movement_gradient<center_crop_pad_op>,
                     .examples = examples_center_crop_pad};
  return op;
}

}  // namespace plimsoll
