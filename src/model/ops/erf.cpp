// erf: the Gauss error function.
#include <cmath>
#include <numbers>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Erf {
  static constexpr int kFlops = kTranscendental;
  static constexpr bool kIntegers = false;
  explicit Erf(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::erf(x);
  }
  static constexpr int kSlopeFlops = kTranscendental + 3;
  template <class T>
  T slope(T x) const {
    return T(2) * std::numbers::inv_sqrtpi_v<T> * std::exp(-x * x);
  }
};

}  // namespace

const Op& erf_op() {
  static const Op op = unary_op<Erf>("erf", {"Erf"});
  return op;
}

}  // namespace plimsoll
