// reduce_sum: the sum over the axes.
#include "model/ops/reduce.h"

namespace plimsoll {
namespace {

template <class T>
struct ReduceSum {
  Sum<T> sum = 0;
  void add(T x) { sum = wrapping_add(sum, Sum<T>(x)); }
  T result(int64_t) const { return T(sum); }
};

}  // namespace

const Op& reduce_sum_op() {
  static const Op op = reduce_op<ReduceSum, Numbers::number, 1>("reduce_sum", {"ReduceSum"});
  return op;
}

}  // namespace plimsoll
