// binary_cross_entropy_with_logits: the same loss of sigmoid(x), written so that no x overflows:
// max(x, 0) - x·t + log(1 + e^-|x|).
#include <cmath>

#include "model/ops/loss.h"

namespace plimsoll {
namespace {

struct BinaryCrossEntropyWithLogits {
  static constexpr int kFlops = 8;  // maximum, product, difference, modulus, exponential, logarithm, two sums
  static double loss(double x, double t) { return std::max(x, 0.0) - x * t + std::log1p(std::exp(-std::abs(x))); }
  static constexpr int kSlopeFlops = 6;
  static double slope(double x, double t) { return 1 / (1 + std::exp(-x)) - t; }
};

}  // namespace

const Op& binary_cross_entropy_with_logits_op() {
  static const Op op = elementwise_loss_op<BinaryCrossEntropyWithLogits>("binary_cross_entropy_with_logits");
  return op;
}

}  // namespace plimsoll
