// hard_swish: x · (x / 6 + 1/2, cut off at 0 and 1).
#include <algorithm>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct HardSwish {
  static constexpr ActivationKind kActivation = ActivationKind::hard_swish;
  static constexpr int kFlops = 5;
  static constexpr bool kIntegers = false;
  explicit HardSwish(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return x * std::clamp(x / T(6) + T(0.5), T(0), T(1));
  }
  static constexpr int kSlopeFlops = 4;
  template <class T>
  T slope(T x) const {
    return x <= T(-3) ? T(0) : x >= T(3) ? T(1) : x / T(3) + T(0.5);
  }
};

}  // namespace

const Op& hard_swish_op() {
  static const Op op = unary_op<HardSwish>("hard_swish", {"HardSwish"});
  return op;
}

}  // namespace plimsoll
