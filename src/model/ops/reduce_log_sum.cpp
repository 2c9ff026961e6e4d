// reduce_log_sum: the logarithm of the sum over the axes.
#include <cmath>

#include "model/ops/reduce.h"

namespace plimsoll {
namespace {

template <class T>
struct ReduceLogSum {
  double sum = 0;
  void add(T x) { sum += double(x); }
  T result(int64_t) const { return convert_number<T>(std::log(sum)); }
};

}  // namespace

const Op& reduce_log_sum_op() {
  static const Op op = reduce_op<ReduceLogSum, Numbers::number, 1>("reduce_log_sum", {"ReduceLogSum"});
  return op;
}

}  // namespace plimsoll
