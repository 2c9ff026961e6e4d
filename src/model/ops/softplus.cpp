// softplus: log(1 + e^x), in the form that does not overflow.
#include "model/ops/activations.h"
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

struct Softplus {
  static constexpr int kFlops = 2 * kTranscendental + 1;
  static constexpr bool kIntegers = false;
  explicit Softplus(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return softplus(x);
  }
};

}  // namespace

const Op& softplus_op() {
  static const Op op = unary_op<Softplus>("softplus", {"Softplus"});
  return op;
}

}  // namespace plimsoll
