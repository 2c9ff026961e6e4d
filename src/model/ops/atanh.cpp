// atanh: the inverse hyperbolic tangent; not a number outside -1 … 1.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Atanh {
  static constexpr int kFlops = kTranscendental;
  static constexpr bool kIntegers = false;
  explicit Atanh(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::atanh(x);
  }
  static constexpr int kSlopeFlops = 3;
  template <class T>
  T slope(T x) const {
    return T(1) / (T(1) - x * x);
  }
};

}  // namespace

const Op& atanh_op() {
  static const Op op = unary_op<Atanh>("atanh", {"Atanh"});
  return op;
}

}  // namespace plimsoll
