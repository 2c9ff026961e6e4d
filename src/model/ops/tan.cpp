// tan: the tangent, x in radians.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Tan {
  static constexpr int kFlops = kTranscendental;
  static constexpr bool kSlopeFromOutput = true;
  static constexpr bool kIntegers = false;
  explicit Tan(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::tan(x);
  }
  static constexpr int kSlopeFlops = 2;
  template <class T>
  T slope(T y) const {
    return T(1) + y * y;
  }
};

}  // namespace

const Op& tan_op() {
  static const Op op = unary_op<Tan>("tan", {"Tan"});
  return op;
}

}  // namespace plimsoll
