// reduce_sum_square: the sum of squares over the axes.
#include "model/ops/reduce.h"

namespace plimsoll {
namespace {

template <class T>
struct ReduceSumSquare {
  Sum<T> sum = 0;
  void add(T x) { sum = wrapping_add(sum, wrapping_multiply(Sum<T>(x), Sum<T>(x))); }
  T result(int64_t) const { return T(sum); }
};

}  // namespace

const Op& reduce_sum_square_op() {
  static const Op op = reduce_op<ReduceSumSquare, Numbers::number, 2>("reduce_sum_square", {"ReduceSumSquare"});
  return op;
}

}  // namespace plimsoll
