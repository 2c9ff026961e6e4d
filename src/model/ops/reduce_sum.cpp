// reduce_sum: the sum over the axes.
#include "model/ops/gradient.h"
#include "model/ops/reduce.h"
#include "model/ops/reduce_gradient.h"

namespace plimsoll {
namespace {

template <class T>
struct ReduceSum {
  Sum<T> sum = 0;
  void add(T x) { sum = wrapping_add(sum, Sum<T>(x)); }
  T result(int64_t) const { return T(sum); }
};

void gradient_reduce_sum(Backward& backward) {
  if (backward.wants(0)) backward.set(0, spread_back(backward, backward.gradient()));
}

}  // namespace

const Op& reduce_sum_op() {
  static const Op op =
      with_gradient(reduce_op<ReduceSum, Numbers::number, 1>("reduce_sum", {"ReduceSum"}), gradient_reduce_sum);
  return op;
}

}  // namespace plimsoll
