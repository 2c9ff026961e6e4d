// neg: -x; the most negative integer stays as it is.
#include "model/ops/elementwise.h"
#include "model/ops/gradient.h"
#include "model/ops/wrapping.h"

namespace plimsoll {

const Op& neg_op();

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

void gradient_neg(Backward& backward) { backward.set(0, backward.emit(neg_op(), {backward.gradient()})); }

}  // namespace

const Op& neg_op() {
  static const Op op = with_gradient(unary_op<Neg>("neg", {"Neg"}), gradient_neg);
  return op;
}

}  // namespace plimsoll
