// softsign: x / (1 + |x|).
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Softsign {
  static constexpr ActivationKind kActivation = ActivationKind::bounded;
  static constexpr int kFlops = 3;
  static constexpr bool kIntegers = false;
  explicit Softsign(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return x / (T(1) + std::abs(x));
  }
  static constexpr int kSlopeFlops = 4;
  template <class T>
  T slope(T x) const {
    const T size = T(1) + std::abs(x);
    return T(1) / (size * size);
  }
};

}  // namespace

const Op& softsign_op() {
  static const Op op = unary_op<Softsign>("softsign", {"Softsign"});
  return op;
}

}  // namespace plimsoll
