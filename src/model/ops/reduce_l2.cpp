// reduce_l2: the root of the sum of squares over the axes.
#include <cmath>

#include "model/ops/gradient.h"
#include "model/ops/reduce.h"
#include "model/ops/reduce_gradient.h"

namespace plimsoll {
namespace {

template <class T>
struct ReduceL2 {
  double sum = 0;
  void add(T x) { sum += double(x) * double(x); }
  T result(int64_t) const { return convert_number<T>(std::sqrt(sum)); }
};

struct Slope {
  static constexpr int kSlopeFlops = 1;
  static constexpr bool kReadsOutput = true;
  static double slope(double x, double y) { return y == 0 ? 0 : x / y; }
};

}  // namespace

const Op& reduce_l2_op() {
  static const Op op =
      with_gradient(reduce_op<ReduceL2, Numbers::number, 2>("reduce_l2", {"ReduceL2"}), reduce_gradient<Slope>);
  return op;
}

}  // namespace plimsoll
