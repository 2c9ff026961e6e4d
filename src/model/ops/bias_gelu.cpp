// bias_gelu: gelu of x plus a bias.
#include "model/ops/activations.h"
#include "model/ops/biased.h"

namespace plimsoll {
namespace {

struct BiasGelu {
  static constexpr int kFlops = 2 * kTranscendental;
  explicit BiasGelu(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return gelu(x);
  }
  static constexpr int kSlopeFlops = 2 * kTranscendental + 8;
  template <class T>
  T slope(T x) const {
    return gelu_slope(x);
  }
};

}  // namespace

const Op& bias_gelu_op() {
  static const Op op = biased_op<BiasGelu>("bias_gelu", {"com.microsoft:BiasGelu"}, 2);
  return op;
}

}  // namespace plimsoll
