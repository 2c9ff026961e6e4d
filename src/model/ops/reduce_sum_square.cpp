// reduce_sum_square: the sum of squares over the axes.
#include "model/ops/all_ops.h"
#include "model/ops/gradient.h"
#include "model/ops/reduce.h"
#include "model/ops/reduce_gradient.h"

namespace plimsoll {
namespace {

template <class T>
struct ReduceSumSquare {
  Sum<T> sum = 0;
  void add(T x) { sum = wrapping_add(sum, wrapping_multiply(Sum<T>(x), Sum<T>(x))); }
  T result(int64_t) const { return T(sum); }
};

// 2 · dy · x
void gradient_reduce_sum_square(Backward& backward) {
  if (!backward.wants(0)) return;
  const ValueId twice = with_kept_axes(backward, scaled(backward, backward.gradient(), 2));
  backward.set(0, backward.emit(op_named("mul"), {backward.input(0), twice}));
}

}  // namespace

const Op& reduce_sum_square_op() {
  static const Op op =
      with_gradient(reduce_op<ReduceSumSquare, Numbers::number, 2>("reduce_sum_square", {"ReduceSumSquare"}),
                    gradient_reduce_sum_square);
  return op;
}

}  // namespace plimsoll
