// not: true for false, of bools. The file is named around a word that C++ keeps.
#include "model/ir/backward.h"
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

bool reference_not(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (in[0].dtype() != DType::boolean) return false;
  const int64_t count = out[0].size();
  const bool* x = in[0].as<bool>();
  for (int64_t i = 0; i < count; ++i) out[0].as<bool>()[i] = !x[i];
  return true;
}

std::vector<OpExample> examples_not() { return {{"mask", {}, {{{DType::boolean, {2, 3}}}}}}; }

}  // namespace

const Op& logical_not_op() {
  static const Op op{.name = "not",
                     .onnx = {"Not"},
                     .infer = same_type,
                     .cost = elementwise_cost<1>,
                     .reference = reference_not,
                     .gradient = no_gradient,
                     .examples = examples_not,
                     .elementwise = true};
  return op;
}

}  // namespace plimsoll
