// reduce_mean: the mean over the axes; of no numbers it is not a number, or 0 among integers.
#include "model/ops/reduce.h"

namespace plimsoll {
namespace {

template <class T>
struct ReduceMean {
  Sum<T> sum = 0;
  void add(T x) { sum = wrapping_add(sum, Sum<T>(x)); }
  T result(int64_t count) const {
    if constexpr (std::is_integral_v<T>) return count == 0 ? T(0) : T(int64_t(sum) / count);
    else return T(sum / double(count));
  }
};

}  // namespace

const Op& reduce_mean_op() {
  static const Op op = reduce_op<ReduceMean, Numbers::number, 1>("reduce_mean", {"ReduceMean"});
  return op;
}

}  // namespace plimsoll
