// silu: x · sigmoid(alpha · x), alpha 1; also known as swish.
#include <cmath>

#include "model/ops/activations.h"
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Silu {
  static constexpr ActivationKind kActivation = ActivationKind::silu;
  static constexpr int kFlops = kTranscendental + 1;
  static constexpr bool kIntegers = false;
  explicit Silu(const Attributes& attributes) : alpha(attributes.number("alpha", 1.0)) {}
  template <class T>
  T operator()(T x) const {
    return x / (T(1) + std::exp(T(-alpha) * x));
  }
  static constexpr int kSlopeFlops = kTranscendental + 4;
  template <class T>
  T slope(T x) const {
    return scaled_silu_slope(x, T(alpha));
  }
  double alpha;
};

}  // namespace

const Op& silu_op() {
  static const Op op = unary_op<Silu>("silu", {"Swish"});
  return op;
}

}  // namespace plimsoll
