// celu: x, or alpha · (e^(x / alpha) - 1) below 0.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Celu {
  static constexpr ActivationKind kActivation = ActivationKind::rectifier;
  static constexpr int kFlops = kTranscendental + 3;
  static constexpr bool kIntegers = false;
  explicit Celu(const Attributes& attributes) : alpha(attributes.number("alpha", 1.0)) {}
  template <class T>
  T operator()(T x) const {
    return x < T(0) ? T(alpha) * std::expm1(x / T(alpha)) : x;
  }
  static constexpr int kSlopeFlops = kTranscendental + 2;
  template <class T>
  T slope(T x) const {
    return x < T(0) ? std::exp(x / T(alpha)) : T(1);
  }
  double alpha;
};

}  // namespace

const Op& celu_op() {
  static const Op op = unary_op<Celu>("celu", {"Celu"});
  return op;
}

}  // namespace plimsoll
