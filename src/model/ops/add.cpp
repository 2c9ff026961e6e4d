// add: a + b, with broadcasting.
#include "model/ops/elementwise.h"
#include "model/ops/gradient.h"
#include "model/ops/wrapping.h"

namespace plimsoll {
namespace {

struct Add {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::number;
  explicit Add(const Attributes&) {}
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(wrapping_add(a, b));
  }
};

void gradient_add(Backward& backward) {
  for (size_t i = 0; i < 2; ++i)
    if (backward.wants(i)) backward.set(i, like_input(backward, i, backward.gradient()));
}

}  // namespace

const Op& add_op() {
  static const Op op = [] {
    Op add = with_gradient(binary_op<Add>("add", {"Add"}), gradient_add);
    add.takes = {ActivationKind::relu};
    add.starts = "a";
    add.before_activation = true;
    return add;
  }();
  return op;
}

}  // namespace plimsoll
