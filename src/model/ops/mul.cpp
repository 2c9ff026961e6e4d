// mul: a · b, with broadcasting.
#include "model/ops/elementwise.h"
#include "model/ops/gradient.h"
#include "model/ops/wrapping.h"

namespace plimsoll {

const Op& mul_op();

namespace {

struct Mul {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::number;
  explicit Mul(const Attributes&) {}
  template <class T>
  T operator()(T a, T b) const {
    return wrapping_multiply(a, b);
  }
};

void gradient_mul(Backward& backward) {
  for (size_t i = 0; i < 2; ++i)
    if (backward.wants(i))
      backward.set(i, like_input(backward, i, backward.emit(mul_op(), {backward.gradient(), backward.input(1 - i)})));
}

}  // namespace

const Op& mul_op() {
  static const Op op = [] {
    Op mul = with_gradient(binary_op<Mul>("mul", {"Mul"}), gradient_mul);
    mul.starts = "f";
    return mul;
  }();
  return op;
}

}  // namespace plimsoll
