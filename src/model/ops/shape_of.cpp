// shape: the sizes of a tensor as numbers. Known as soon as types are, so it never runs.
#include "model/ir/backward.h"
#include "model/ir/op.h"

namespace plimsoll {
namespace {

std::vector<int64_t> sizes(const OpCall& call) {
  const int rank = call.shape(0).rank();
  const auto bound = [&](int64_t axis) { return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank); };
  const int64_t first = bound(call.attributes.integer("start", 0)), last = bound(call.attributes.integer("end", rank));
  const auto& dims = call.shape(0).dims();
  return first < last ? std::vector<int64_t>(dims.begin() + first, dims.begin() + last) : std::vector<int64_t>{};
}

Result<std::vector<TensorType>> infer_shape(const OpCall& call) {
  return std::vector{TensorType{DType::i64, Shape{int64_t(sizes(call).size())}}};
}

TensorPtr shape_from_types(const OpCall& call) { return std::make_shared<Tensor>(integer_tensor(sizes(call))); }

bool reference_shape(const OpCall& call, std::span<const TensorView>, std::span<const TensorView> out) {
  const auto numbers = sizes(call);
  std::copy(numbers.begin(), numbers.end(), out[0].as<int64_t>());
  return true;
}

std::vector<OpExample> examples_shape() {
  return {{"all", {}, {{{DType::f32, {2, 3, 4}}}}}, {"slice", {{"start", int64_t{1}}}, {{{DType::f32, {2, 3, 4}}}}}};
}

}  // namespace

const Op& shape_op() {
  static const Op op{.name = "shape",
                     .onnx = {"Shape"},
                     .infer = infer_shape,
                     .reference = reference_shape,
                     .gradient = no_gradient,
                     .examples = examples_shape,
                     .from_types = shape_from_types};
  return op;
}

}  // namespace plimsoll
