// thresholded_relu: x above alpha, else 0.
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct ThresholdedRelu {
  static constexpr ActivationKind kActivation = ActivationKind::rectifier;
  static constexpr int kFlops = 1;
  static constexpr bool kInPlace = true;
  static constexpr bool kIntegers = false;
  explicit ThresholdedRelu(const Attributes& attributes) : alpha(attributes.number("alpha", 1.0)) {}
  template <class T>
  T operator()(T x) const {
    return x <= T(alpha) ? T(0) : x;
  }
  static constexpr int kSlopeFlops = 1;
  template <class T>
  T slope(T y) const {
    return y != T(0) ? T(1) : T(0);
  }
  double alpha;
};

}  // namespace

const Op& thresholded_relu_op() {
  static const Op op = unary_op<ThresholdedRelu>("thresholded_relu", {"ThresholdedRelu"});
  return op;
}

}  // namespace plimsoll
