// neg: -x; the most negative integer stays as it is.
#include "model/ops/elementwise.h"
#include "model/ops/wrapping.h"

namespace plimsoll {
namespace {

struct Neg {
  static constexpr int kFlops = 1;
  static constexpr bool kIntegers = true;
  explicit Neg(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>) return -x;
    else return wrapping_subtract(T(0), x);
  }
};

}  // namespace

const Op& neg_op() {
  static const Op op = unary_op<Neg>("neg", {"Neg"});
  return op;
}

}  // namespace plimsoll
