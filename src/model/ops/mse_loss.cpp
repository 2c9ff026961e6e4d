// mse_loss: the squared difference of predictions and targets, its mean unless reduction says otherwise.
#include "model/ops/loss.h"

namespace plimsoll {
namespace {

struct SquaredError {
  static constexpr int kFlops = 3;  // difference, square, sum
  static double loss(double x, double t) { return (x - t) * (x - t); }
  static constexpr int kSlopeFlops = 3;
  static double slope(double x, double t) { return 2 * (x - t); }
};

}  // namespace

const Op& mse_loss_op() {
  static const Op op = elementwise_loss_op<SquaredError>("mse_loss");
  return op;
}

}  // namespace plimsoll
