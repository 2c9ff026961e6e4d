// sinh: the hyperbolic sine.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Sinh {
  static constexpr int kFlops = kTranscendental;
  static constexpr bool kIntegers = false;
  explicit Sinh(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::sinh(x);
  }
  static constexpr int kSlopeFlops = kTranscendental;
  template <class T>
  T slope(T x) const {
    return std::cosh(x);
  }
};

}  // namespace

const Op& sinh_op() {
  static const Op op = unary_op<Sinh>("sinh", {"Sinh"});
  return op;
}

}  // namespace plimsoll
