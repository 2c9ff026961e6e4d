// floor: the largest whole number that is not above x.
#include <cmath>

#include "model/ops/elementwise.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

struct Floor {
  static constexpr int kFlops = 1;
  static constexpr bool kIntegers = false;
  explicit Floor(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::floor(x);
  }
};

}  // namespace

const Op& floor_op() {
  static const Op op = with_gradient(unary_op<Floor>("floor", {"Floor"}), no_gradient);
  return op;
}

}  // namespace plimsoll
