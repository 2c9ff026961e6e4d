// mish: x · tanh(softplus(x)).
#include <cmath>

#include "model/ops/activations.h"
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Mish {
  static constexpr int kFlops = 3 * kTranscendental + 2;
  static constexpr bool kIntegers = false;
  explicit Mish(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return x * std::tanh(softplus(x));
  }
};

}  // namespace

const Op& mish_op() {
  static const Op op = unary_op<Mish>("mish", {"Mish"});
  return op;
}

}  // namespace plimsoll
