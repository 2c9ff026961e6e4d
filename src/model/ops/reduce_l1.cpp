// reduce_l1: the sum of magnitudes over the axes.
#include "model/ops/gradient.h"
#include "model/ops/reduce.h"
#include "model/ops/reduce_gradient.h"

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

struct Slope {
  static constexpr int kSlopeFlops = 1;
  static constexpr bool kReadsOutput = false;
  static double slope(double x, double) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
};

}  // namespace

const Op& reduce_l1_op() {
  static const Op op =
      with_gradient(reduce_op<ReduceL1, Numbers::number, 2>("reduce_l1", {"ReduceL1"}), reduce_gradient<Slope>);
  return op;
}

}  // namespace plimsoll
