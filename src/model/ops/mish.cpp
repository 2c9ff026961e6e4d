// mish: x · tanh(softplus(x)).
#include <cmath>

#include "model/ops/activations.h"
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Mish {
  static constexpr ActivationKind kActivation = ActivationKind::rectifier;
  static constexpr int kFlops = 3 * kTranscendental + 2;
  static constexpr bool kIntegers = false;
  explicit Mish(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return x * std::tanh(softplus(x));
  }
  static constexpr int kSlopeFlops = 4 * kTranscendental + 6;
  template <class T>
  T slope(T x) const {
    const T t = std::tanh(softplus(x));
    return t + x * (T(1) - t * t) * sigmoid(x);
  }
};

}  // namespace

const Op& mish_op() {
  static const Op op = unary_op<Mish>("mish", {"Mish"});
  return op;
}

}  // namespace plimsoll
