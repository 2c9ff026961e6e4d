// fast_gelu: gelu by its tanh formula, of x plus a bias that may be absent.
#include "model/ops/activations.h"
#include "model/ops/biased.h"

namespace plimsoll {
namespace {

struct FastGelu {
  static constexpr int kFlops = 2 * kTranscendental;
  explicit FastGelu(const Attributes&) {}
  template <class T>
  T operator()(T x) const {
    return tanh_gelu(x);
  }
  static constexpr int kSlopeFlops = kTranscendental + 16;
  template <class T>
  T slope(T x) const {
    return tanh_gelu_slope(x);
  }
};

}  // namespace

const Op& fast_gelu_op() {
  static const Op op = biased_op<FastGelu>("fast_gelu", {"com.microsoft:FastGelu"}, 1);
  return op;
}

}  // namespace plimsoll
