// sqrt: the square root; not a number below 0.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Sqrt {
  static constexpr int kFlops = 1;
  static constexpr bool kSlopeFromOutput = true;
  static constexpr bool kIntegers = false;
  explicit Sqrt(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::sqrt(x);
  }
  static constexpr int kSlopeFlops = 1;
  template <class T>
  T slope(T y) const {
    return T(0.5) / y;
  }
};

}  // namespace

const Op& sqrt_op() {
  static const Op op = unary_op<Sqrt>("sqrt", {"Sqrt"});
  return op;
}

}  // namespace plimsoll
