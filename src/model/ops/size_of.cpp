// size: how many numbers a tensor has. Known as soon as types are, so it never runs.
#include "model/ir/backward.h"
#include "model/ops/example.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_size(const OpCall&) { return std::vector{TensorType{DType::i64, {}}}; }

TensorPtr size_from_types(const OpCall& call) {
  return std::make_shared<Tensor>(integer_scalar(call.type(0).elements().value()));
}

bool reference_size(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  *out[0].as<int64_t>() = in[0].size();
  return true;
}

std::vector<OpExample> examples_size() { return {{"image", {}, {example::f32({2, 3, 4})}}}; }

}  // namespace

const Op& size_op() {
  static const Op op{.name = "size",
                     .onnx = {"Size"},
                     .infer = infer_size,
                     .reference = reference_size,
                     .gradient = no_gradient,
                     .examples = examples_size,
                     .from_types = size_from_types};
  return op;
}

}  // namespace plimsoll
