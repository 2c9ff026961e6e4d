// tanh: the hyperbolic tangent.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Tanh {
  static constexpr ActivationKind kActivation = ActivationKind::bounded;
  static constexpr int kFlops = kTranscendental;
  static constexpr bool kInPlace = true;
  static constexpr bool kIntegers = false;
  explicit Tanh(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return std::tanh(x);
  }
  static constexpr int kSlopeFlops = 2;
  template <class T>
  T slope(T y) const {
    return T(1) - y * y;
  }
};

}  // namespace

const Op& tanh_op() {
  static const Op op = unary_op<Tanh>("tanh", {"Tanh"});
  return op;
}

}  // namespace plimsoll
