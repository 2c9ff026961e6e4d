// round: the nearest whole number, halves to the even one.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Round {
  static constexpr int kFlops = 1;
  static constexpr bool kIntegers = false;
  explicit Round(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::nearbyint(x);
  }
};

}  // namespace

const Op& round_op() {
  static const Op op = unary_op<Round>("round", {"Round"});
  return op;
}

}  // namespace plimsoll
