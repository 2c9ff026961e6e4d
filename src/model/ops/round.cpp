// round: the nearest whole number, halves to the even one.
#include <cmath>

#include "model/ops/elementwise.h"
#include "model/ops/gradient.h"

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
  static const Op op = with_gradient(unary_op<Round>("round", {"Round"}), no_gradient);
  return op;
}

}  // namespace plimsoll
