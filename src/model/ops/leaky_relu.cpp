// leaky_relu: x, or alpha · x below 0.
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct LeakyRelu {
  static constexpr ActivationKind kActivation = ActivationKind::rectifier;
  static constexpr int kFlops = 2;
  static constexpr bool kInPlace = true;
  static constexpr bool kIntegers = false;
  explicit LeakyRelu(const Attributes& attributes) : alpha(attributes.number("alpha", 0.01)) {}
  template <class T>
  T operator()(T x) const {
    return x < T(0) ? T(alpha) * x : x;
  }
  static constexpr int kSlopeFlops = 1;
  template <class T>
  T slope(T y) const {
    return y > T(0) ? T(1) : T(alpha);
  }
  bool output_tells_slope() const { return alpha >= 0; }
  double alpha;
};

}  // namespace

const Op& leaky_relu_op() {
  static const Op op = unary_op<LeakyRelu>("leaky_relu", {"LeakyRelu"});
  return op;
}

}  // namespace plimsoll
