// binary_cross_entropy: -t·log p - (1 - t)·log(1 - p) of probabilities p and targets t. As in torch
// a logarithm is never below -100, so a sure and wrong answer costs 100 and not infinity.
#include <cmath>

#include "model/ops/loss.h"

namespace plimsoll {
namespace {

struct BinaryCrossEntropy {
  static constexpr int kFlops = 8;  // two logarithms, two products, two differences, two sums
  static double loss(double p, double t) {
    const auto log = [](double x) { return std::max(std::log(x), -100.0); };
    return -t * log(p) - (1 - t) * log(1 - p);
  }
  // As in torch the denominator is never below 1e-12.
  static constexpr int kSlopeFlops = 6;
  static double slope(double p, double t) { return (p - t) / std::max(p * (1 - p), 1e-12); }
};

}  // namespace

const Op& binary_cross_entropy_op() {
  static const Op op = elementwise_loss_op<BinaryCrossEntropy>("binary_cross_entropy");
  return op;
}

}  // namespace plimsoll
