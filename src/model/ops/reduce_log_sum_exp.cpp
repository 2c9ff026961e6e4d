// reduce_log_sum_exp: the logarithm of the sum of exponentials over the axes, kept from overflowing by taking
// the largest number so far out of the sum.
#include <cmath>
#include <limits>

#include "model/ops/gradient.h"
#include "model/ops/reduce.h"
#include "model/ops/reduce_gradient.h"

namespace plimsoll {
namespace {

template <class T>
struct ReduceLogSumExp {
  double largest = -std::numeric_limits<double>::infinity();
  double sum = 0;  // of e^(x - largest)
  void add(T x) {
    const double next = larger(largest, double(x));
    if (std::isinf(next)) sum = 1;  // -∞ - -∞ would not be a number
    else sum = sum * std::exp(largest - next) + std::exp(double(x) - next);
    largest = next;
  }
  T result(int64_t) const { return convert_number<T>(largest + std::log(sum)); }
};

struct Slope {
  static constexpr int kSlopeFlops = kTranscendental + 1;
  static constexpr bool kReadsOutput = true;
  static double slope(double x, double y) { return std::isinf(y) ? 0 : std::exp(x - y); }
};

}  // namespace

const Op& reduce_log_sum_exp_op() {
  static const Op op = with_gradient(
      reduce_op<ReduceLogSumExp, Numbers::number, kTranscendental + 1>("reduce_log_sum_exp", {"ReduceLogSumExp"}),
      reduce_gradient<Slope>);
  return op;
}

}  // namespace plimsoll
