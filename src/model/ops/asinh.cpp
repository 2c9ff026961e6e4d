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
};

}  // namespace

const Op& asinh_op() {
  static const Op op = unary_op<Asinh>("asinh", {"Asinh"});
  return op;
}

}  // namespace plimsoll
