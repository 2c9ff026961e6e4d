// selu: gamma · x, or gamma · alpha · (e^x - 1) below 0; the defaults keep mean 0 and variance 1.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Selu {
  static constexpr ActivationKind kActivation = ActivationKind::rectifier;
  static constexpr int kFlops = kTranscendental + 3;
  static constexpr bool kInPlace = true;
  static constexpr bool kIntegers = false;
  explicit Selu(const Attributes& attributes)
      : alpha(attributes.number("alpha", 1.67326319217681884765625)),
        gamma(attributes.number("gamma", 1.05070102214813232421875)) {}
  template <class T>
  T operator()(T x) const {
    return T(gamma) * (x < T(0) ? T(alpha) * std::expm1(x) : x);
  }
  static constexpr int kSlopeFlops = 2;
  template <class T>
  T slope(T y) const {
    return y > T(0) ? T(gamma) : y + T(gamma * alpha);
  }
  bool output_tells_slope() const { return alpha >= 0 && gamma > 0; }
  double alpha;
  double gamma;
};

}  // namespace

const Op& selu_op() {
  static const Op op = unary_op<Selu>("selu", {"Selu"});
  return op;
}

}  // namespace plimsoll
