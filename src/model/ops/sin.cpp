// sin: the sine, x in radians.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Sin {
  static constexpr int kFlops = kTranscendental;
  static constexpr bool kIntegers = false;
  explicit Sin(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::sin(x);
  }
  static constexpr int kSlopeFlops = kTranscendental;
  template <class T>
  T slope(T x) const {
    return std::cos(x);
  }
};

}  // namespace

const Op& sin_op() {
  static const Op op = unary_op<Sin>("sin", {"Sin"});
  return op;
}

}  // namespace plimsoll
