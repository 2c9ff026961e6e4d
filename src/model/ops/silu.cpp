// silu: x · sigmoid(alpha · x), alpha 1; also known as swish.
#include <cmath>

#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Silu {
  static constexpr int kFlops = kTranscendental + 1;
  static constexpr bool kIntegers = false;
  explicit Silu(const Attributes& attributes) : alpha(attributes.number("alpha", 1.0)) {}
  template <class T>
  T operator()(T x) const {
    return x / (T(1) + std::exp(T(-alpha) * x));
  }
  double alpha;
};

}  // namespace

const Op& silu_op() {
  static const Op op = unary_op<Silu>("silu", {"Swish"});
  return op;
}

}  // namespace plimsoll
