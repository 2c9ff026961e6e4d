// quick_gelu: x · sigmoid(1.702 x), a cheap stand-in for gelu.
#include <cmath>

#include "model/ops/activations.h"
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct QuickGelu {
  static constexpr ActivationKind kActivation = ActivationKind::rectifier;
  static constexpr int kFlops = kTranscendental + 2;
  static constexpr bool kIntegers = false;
  explicit QuickGelu(const Attributes& attributes) : alpha(attributes.number("alpha", 1.702)) {}
  template <class T>
  T operator()(T x) const {
    return x / (T(1) + std::exp(T(-alpha) * x));
  }
  static constexpr int kSlopeFlops = kTranscendental + 5;
  template <class T>
  T slope(T x) const {
    return scaled_silu_slope(x, T(alpha));
  }
  double alpha;
};

}  // namespace

const Op& quick_gelu_op() {
  static const Op op = unary_op<QuickGelu>("quick_gelu", {"com.microsoft:QuickGelu"});
  return op;
}

}  // namespace plimsoll
