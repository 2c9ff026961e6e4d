// hard_sigmoid: alpha · x + beta, cut off at 0 and 1.
#include <algorithm>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct HardSigmoid {
  static constexpr ActivationKind kActivation = ActivationKind::bounded;
  static constexpr int kFlops = 4;
  static constexpr bool kInPlace = true;
  static constexpr bool kIntegers = false;
  explicit HardSigmoid(const Attributes& attributes)
      : alpha(attributes.number("alpha", 0.2)), beta(attributes.number("beta", 0.5)) {}
  template <class T>
  T operator()(T x) const {
    return std::clamp(T(alpha) * x + T(beta), T(0), T(1));
  }
  static constexpr int kSlopeFlops = 2;
  template <class T>
  T slope(T y) const {
    return y > T(0) && y < T(1) ? T(alpha) : T(0);
  }
  double alpha;
  double beta;
};

}  // namespace

const Op& hard_sigmoid_op() {
  static const Op op = unary_op<HardSigmoid>("hard_sigmoid", {"HardSigmoid"});
  return op;
}

}  // namespace plimsoll
