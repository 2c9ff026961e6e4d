// scaled_tanh: alpha · tanh(beta · x). LeCun's 1.7159 · tanh(2/3 · x) is this, and what Core ML's scaled tanh is
// exported as.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct ScaledTanh {
  static constexpr ActivationKind kActivation = ActivationKind::bounded;
  static constexpr int kFlops = kTranscendental + 2;
  static constexpr bool kIntegers = false;
  explicit ScaledTanh(const Attributes& attributes)
      : alpha(attributes.number("alpha", 1)), beta(attributes.number("beta", 1)) {}
  template <class T>
  T operator()(T x) const {
    return T(alpha) * std::tanh(T(beta) * x);
  }
  static constexpr int kSlopeFlops = kTranscendental + 4;  // from x: the output of an alpha of 0 tells nothing
  template <class T>
  T slope(T x) const {
    const T y = std::tanh(T(beta) * x);
    return T(alpha * beta) * (T(1) - y * y);
  }
  double alpha, beta;
};

std::vector<OpExample> examples_scaled_tanh() {
  auto examples = unary_examples();
  examples.push_back({"LeCun's", {{"alpha", 1.7159}, {"beta", 2.0 / 3}}, {{{DType::f32, {2, 7}}}}});
  return examples;
}

}  // namespace

const Op& scaled_tanh_op() {
  static const Op op = [] {
    Op scaled = unary_op<ScaledTanh>("scaled_tanh", {"ScaledTanh"});
    scaled.examples = examples_scaled_tanh;
    return scaled;
  }();
  return op;
}

}  // namespace plimsoll
