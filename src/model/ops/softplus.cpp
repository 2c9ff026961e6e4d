// softplus: log(1 + e^x), in the form that does not overflow.
#include "model/ops/activations.h"
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Softplus {
  static constexpr ActivationKind kActivation = ActivationKind::rectifier;
  static constexpr int kFlops = 2 * kTranscendental + 1;
  static constexpr bool kIntegers = false;
  explicit Softplus(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return softplus(x);
  }
  static constexpr int kSlopeFlops = kTranscendental;
  template <class T>
  T slope(T x) const {
    return sigmoid(x);
  }
};

}  // namespace

const Op& softplus_op() {
  static const Op op = unary_op<Softplus>("softplus", {"Softplus"});
  return op;
}

}  // namespace plimsoll
