// elu: x, or alpha · (e^x - 1) below 0.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Elu {
  static constexpr ActivationKind kActivation = ActivationKind::rectifier;
  static constexpr int kFlops = kTranscendental + 2;
  static constexpr bool kInPlace = true;
  static constexpr bool kIntegers = false;
  explicit Elu(const Attributes& attributes) : alpha(attributes.number("alpha", 1.0)) {}
  template <class T>
  T operator()(T x) const {
    return x < T(0) ? T(alpha) * std::expm1(x) : x;
  }
  static constexpr int kSlopeFlops = 2;
  template <class T>
  T slope(T y) const {
    return y > T(0) ? T(1) : y + T(alpha);
  }
  bool output_tells_slope() const { return alpha >= 0; }
  double alpha;
};

}  // namespace

const Op& elu_op() {
  static const Op op = unary_op<Elu>("elu", {"Elu"});
  return op;
}

}  // namespace plimsoll
