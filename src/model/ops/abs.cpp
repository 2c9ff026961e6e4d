// abs: |x|; the most negative integer stays as it is.
#include <cmath>

#include "model/ops/elementwise.h"
#include "model/ops/wrapping.h"

namespace plimsoll {
namespace {

struct Abs {
  static constexpr int kFlops = 1;
  static constexpr bool kIntegers = true;
  explicit Abs(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>) return std::abs(x);
    else if constexpr (std::is_signed_v<T>) return x < 0 ? wrapping_subtract(T(0), x) : x;
    else return x;
  }
  static constexpr int kSlopeFlops = 1;
  template <class T>
  T slope(T x) const {
    return x > T(0) ? T(1) : x < T(0) ? T(-1) : T(0);
  }
};

}  // namespace

const Op& abs_op() {
  static const Op op = unary_op<Abs>("abs", {"Abs"});
  return op;
}

}  // namespace plimsoll
