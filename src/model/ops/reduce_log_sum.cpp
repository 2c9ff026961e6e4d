// reduce_log_sum: the logarithm of the sum over the axes.
#include <cmath>

#include "model/ops/all_ops.h"
#include "model/ops/gradient.h"
#include "model/ops/reduce.h"
#include "model/ops/reduce_gradient.h"

namespace plimsoll {
namespace {

template <class T>
struct ReduceLogSum {
  double sum = 0;
  void add(T x) { sum += double(x); }
  T result(int64_t) const { return convert_number<T>(std::log(sum)); }
};

// y = log Σ x: every x gets dy / Σ x, and Σ x is e^y.
void gradient_reduce_log_sum(Backward& backward) {
  if (!backward.wants(0)) return;
  const ValueId sum = backward.emit(op_named("exp"), {backward.output(0)});
  backward.set(0, spread_back(backward, backward.emit(op_named("div"), {backward.gradient(), sum})));
}

}  // namespace

const Op& reduce_log_sum_op() {
  static const Op op = with_gradient(reduce_op<ReduceLogSum, Numbers::number, 1>("reduce_log_sum", {"ReduceLogSum"}),
                                     gradient_reduce_log_sum);
  return op;
}

}  // namespace plimsoll
