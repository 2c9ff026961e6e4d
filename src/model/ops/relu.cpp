// relu: max(x, 0); not-a-number stays, as in every kernel and in PyTorch: a network that has gone wrong must show it.
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Relu {
  static constexpr ActivationKind kActivation = ActivationKind::relu;
  static constexpr int kFlops = 1;
  static constexpr bool kInPlace = true;
  static constexpr bool kIntegers = true;
  explicit Relu(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return x < T(0) ? T(0) : x;
  }
  static constexpr int kSlopeFlops = 1;
  template <class T>
  T slope(T y) const {
    return y > T(0) ? T(1) : T(0);
  }
};

}  // namespace

const Op& relu_op() {
  static const Op op = unary_op<Relu>("relu", {"Relu"});
  return op;
}

}  // namespace plimsoll
