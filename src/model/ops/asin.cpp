// asin: the angle of a sine, in radians; not a number outside -1 … 1.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Asin {
  static constexpr int kFlops = kTranscendental;
  static constexpr bool kIntegers = false;
  explicit Asin(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::asin(x);
  }
  static constexpr int kSlopeFlops = 4;
  template <class T>
  T slope(T x) const {
    return T(1) / std::sqrt(T(1) - x * x);
  }
};

}  // namespace

const Op& asin_op() {
  static const Op op = unary_op<Asin>("asin", {"Asin"});
  return op;
}

}  // namespace plimsoll
