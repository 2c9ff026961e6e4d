// sum: of any number of tensors, with broadcasting.
#include "model/ops/gradient.h"
#include "model/ops/variadic.h"
#include "model/ops/wrapping.h"

namespace plimsoll {
namespace {

struct SumOfAll {
  static constexpr int kFinish = 0;
  template <class T>
  static T step(T y, T x) {
    return wrapping_add(y, x);
  }
  template <class T>
  static T finish(T y, int64_t) {
    return y;
  }
};

void gradient_sum(Backward& backward) {
  for (size_t i = 0; i < backward.call().input_count(); ++i)
    if (backward.wants(i)) backward.set(i, like_input(backward, i, backward.gradient()));
}

}  // namespace

const Op& sum_op() {
  static const Op op = [] {
    Op sum = with_gradient(variadic_op<SumOfAll>("sum", {"Sum"}), gradient_sum);
    sum.kind = OpKind::element;
    sum.starts = "a";
    sum.before_activation = true;
    return sum;
  }();
  return op;
}

}  // namespace plimsoll
