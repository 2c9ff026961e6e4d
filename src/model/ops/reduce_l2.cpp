// reduce_l2: the root of the sum of squares over the axes.
#include <cmath>

#include "model/ops/reduce.h"

namespace plimsoll {
namespace {

template <class T>
struct ReduceL2 {
  double sum = 0;
  void add(T x) { sum += double(x) * double(x); }
  T result(int64_t) const { return convert_number<T>(std::sqrt(sum)); }
};

}  // namespace

const Op& reduce_l2_op() {
  static const Op op = reduce_op<ReduceL2, Numbers::number, 2>("reduce_l2", {"ReduceL2"});
  return op;
}

}  // namespace plimsoll
