// sub: a - b, with broadcasting.
#include "model/ops/all_ops.h"
#include "model/ops/elementwise.h"
#include "model/ops/gradient.h"
#include "model/ops/wrapping.h"

namespace plimsoll {
namespace {

struct Sub {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::number;
  explicit Sub(const Attributes&) {}
  template <class T>
  T operator()(T a, T b) const {
    return wrapping_subtract(a, b);
  }
};

void gradient_sub(Backward& backward) {
  if (backward.wants(0)) backward.set(0, like_input(backward, 0, backward.gradient()));
  if (backward.wants(1))
    backward.set(1, backward.emit(op_named("neg"), {like_input(backward, 1, backward.gradient())}));
}

}  // namespace

const Op& sub_op() {
  static const Op op = [] {
    Op sub = with_gradient(binary_op<Sub>("sub", {"Sub"}), gradient_sub);
    sub.starts = "a";
    return sub;
  }();
  return op;
}

}  // namespace plimsoll
