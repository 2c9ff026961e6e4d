// reduce_mean: the mean over the axes; of no numbers it is not a number, or 0 among integers.
#include "model/ops/gradient.h"
#include "model/ops/reduce.h"
#include "model/ops/reduce_gradient.h"

namespace plimsoll {
namespace {

// Wider than T, whose own sums would wrap: the mean is within T's range again.
template <class T>
using WideSum =
    std::conditional_t<std::is_floating_point_v<T>, double, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;

template <class T>
struct ReduceMean {
  WideSum<T> sum = 0;
  void add(T x) { sum = wrapping_add(sum, WideSum<T>(x)); }
  T result(int64_t count) const {
    if (std::is_integral_v<T> && count == 0) return T(0);
    return T(sum / WideSum<T>(count));
  }
};

void gradient_reduce_mean(Backward& backward) {
  if (!backward.wants(0)) return;
  const double share = 1 / numbers_per_output(backward.call());
  backward.set(0, spread_back(backward, scaled(backward, backward.gradient(), share)));
}

}  // namespace

const Op& reduce_mean_op() {
  static const Op op =
      with_gradient(reduce_op<ReduceMean, Numbers::number, 1>("reduce_mean", {"ReduceMean"}), gradient_reduce_mean);
  return op;
}

}  // namespace plimsoll
