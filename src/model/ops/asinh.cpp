// asinh: the inverse hyperbolic sine.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Asinh {
  static constexpr int kFlops = kTranscendental;
  static constexpr bool kIntegers = false;
  explicit Asinh(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::asinh(x);
  }
  static constexpr int kSlopeFlops = 4;
  template <class T>
  T slope(T x) const {
    return T(1) / std::sqrt(x * x + T(1));
  }
};

}  // namespace

const Op& asinh_op() {
  static const Op op = unary_op<Asinh>("asinh", {"Asinh"});
  return op;
}

}  // namespace plimsoll
