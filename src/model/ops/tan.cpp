// tan: the tangent, x in radians.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Tan {
  static constexpr int kFlops = kTranscendental;
  static constexpr bool kIntegers = false;
  explicit Tan(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::tan(x);
  }
};

}  // namespace

const Op& tan_op() {
  static const Op op = unary_op<Tan>("tan", {"Tan"});
  return op;
}

}  // namespace plimsoll
