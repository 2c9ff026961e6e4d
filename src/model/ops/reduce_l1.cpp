// reduce_l1: the sum of magnitudes over the axes.
#include "model/ops/reduce.h"

namespace plimsoll {
namespace {

template <class T>
struct ReduceL1 {
  Sum<T> sum = 0;
  void add(T x) {
    if constexpr (std::is_signed_v<T>)
      if (x < T(0)) {
        sum = wrapping_subtract(sum, Sum<T>(x));
        return;
      }
    sum = wrapping_add(sum, Sum<T>(x));
  }
  T result(int64_t) const { return T(sum); }
};

}  // namespace

const Op& reduce_l1_op() {
  static const Op op = reduce_op<ReduceL1, Numbers::number, 2>("reduce_l1", {"ReduceL1"});
  return op;
}

}  // namespace plimsoll
