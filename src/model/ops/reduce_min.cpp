// reduce_min: the smallest over the axes; of no numbers, the greatest that the type holds.
#include <limits>

#include "model/ops/gradient.h"
#include "model/ops/reduce.h"
#include "model/ops/reduce_gradient.h"

namespace plimsoll {
namespace {

template <class T>
struct ReduceMin {
  T smallest =
      std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
  void add(T x) { smallest = smaller(smallest, x); }
  T result(int64_t) const { return smallest; }
};

}  // namespace

const Op& reduce_min_op() {
  static const Op op =
      with_gradient(reduce_op<ReduceMin, Numbers::any, 1>("reduce_min", {"ReduceMin"}), reduce_extreme_gradient);
  return op;
}

}  // namespace plimsoll
