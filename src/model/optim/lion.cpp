// c = β₁m + (1-β₁)g (3); w -= lr · (sign c (1) + λw) (2); m = β₂m + (1-β₂)g (3). Settings: beta1 (0.9), beta2 (0.99),
// weight_decay λ (0), which is decoupled: w -= lr · λ · w (2).
#include "model/optim/optimizer.h"
#include "model/optim/update.h"

namespace plimsoll {
namespace {

void update(Update& now) {
  const double beta1 = now.settings.number("beta1", 0.9), beta2 = now.settings.number("beta2", 0.99);
  const double shrink = now.learning_rate * now.settings.number("weight_decay", 0);
  auto& m = now.state[0];
  for (size_t i = 0; i < now.size(); ++i) {
    const double g = now.gradient[i], direction = beta1 * m[i] + (1 - beta1) * g;
    now.parameter[i] -= shrink * now.parameter[i];
    now.parameter[i] -= now.learning_rate * double((direction > 0) - (direction < 0));
    m[i] = beta2 * m[i] + (1 - beta2) * g;
  }
}

Cost cost(const OpCall& call) { return update_cost(call, 9 + decay_flops(call.attributes)); }

}  // namespace

const Op& lion_update() {
  static const Op op = update_op<1, update>("lion_update", cost);
  return op;
}

const Optimizer& lion_optimizer() {
  static const Optimizer optimizer{
      "lion", "the sign of an evolved momentum (Chen et al. 2023)", {"momentum"}, 9, lion_update, 0.0001};
  return optimizer;
}

}  // namespace plimsoll
