// bitwise_not: every bit turned, of integers.
#include "model/ir/backward.h"
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

bool reference_bitwise_not(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  return for_integer(in[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (int64_t i = 0; i < out[0].size(); ++i) out[0].as<T>()[i] = static_cast<T>(~in[0].as<T>()[i]);
  });
}

}  // namespace

const Op& bitwise_not_op() {
  static const Op op{.name = "bitwise_not",
                     .onnx = {"BitwiseNot"},
                     .infer = same_type,
                     .cost = elementwise_cost<1>,
                     .reference = reference_bitwise_not,
                     .gradient = no_gradient,
                     .examples = integer_unary_examples,
                     .elementwise = true};
  return op;
}

}  // namespace plimsoll
