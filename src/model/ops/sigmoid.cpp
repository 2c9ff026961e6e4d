// sigmoid: 1 / (1 + e^-x).
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Sigmoid {
  static constexpr ActivationKind kActivation = ActivationKind::bounded;
  static constexpr int kFlops = kTranscendental;
  static constexpr bool kInPlace = true;
  static constexpr bool kIntegers = false;
  explicit Sigmoid(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return T(1) / (T(1) + std::exp(-x));
  }
  static constexpr int kSlopeFlops = 2;
  template <class T>
  T slope(T y) const {
    return y * (T(1) - y);
  }
};

}  // namespace

const Op& sigmoid_op() {
  static const Op op = [] {
    Op sigmoid = unary_op<Sigmoid>("sigmoid", {"Sigmoid"});
    sigmoid.scores = ClassScores::probability;
    return sigmoid;
  }();
  return op;
}

}  // namespace plimsoll
