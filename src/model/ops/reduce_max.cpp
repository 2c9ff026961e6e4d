// reduce_max: the largest over the axes; of no numbers, the least that the type holds.
#include <limits>

#include "model/ops/gradient.h"
#include "model/ops/reduce.h"
#include "model/ops/reduce_gradient.h"

namespace plimsoll {
namespace {

template <class T>
struct ReduceMax {
  T largest =
      std::numeric_limits<T>::has_infinity ? T(-std::numeric_limits<T>::infinity()) : std::numeric_limits<T>::lowest();
  void add(T x) { largest = larger(largest, x); }
  T result(int64_t) const { return largest; }
};

}  // namespace

const Op& reduce_max_op() {
  static const Op op =
      with_gradient(reduce_op<ReduceMax, Numbers::any, 1>("reduce_max", {"ReduceMax"}), reduce_extreme_gradient);
  return op;
}

}  // namespace plimsoll
