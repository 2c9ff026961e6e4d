// sqrt: the square root; not a number below 0.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Sqrt {
  static constexpr int kFlops = 1;
  static constexpr bool kIntegers = false;
  explicit Sqrt(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::sqrt(x);
  }
};

}  // namespace

const Op& sqrt_op() {
  static const Op op = unary_op<Sqrt>("sqrt", {"Sqrt"});
  return op;
}

}  // namespace plimsoll
