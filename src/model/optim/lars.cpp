// Norms of w and g (4); m = µm + lr · η‖w‖ / (‖g‖ + λ‖w‖) · (g + λw) (5); w -= m (1). The ratio is 1 where a norm is 0.
// Settings: momentum µ (0.9), weight_decay λ (0), trust_coefficient η (0.001), adapt (1): 0 leaves the ratio at 1.
#include "model/optim/optimizer.h"
#include "model/optim/update.h"

namespace plimsoll {
namespace {

void update(Update& now) {
  const double momentum = now.settings.number("momentum", 0.9), decay = now.settings.number("weight_decay", 0);
  const double trust = now.settings.number("trust_coefficient", 0.001);
  const double weight_norm = norm(now.parameter), gradient_norm = norm(now.gradient);
  const bool known = now.settings.integer("adapt", 1) != 0 && weight_norm > 0 && gradient_norm > 0;
  const double ratio = known ? trust * weight_norm / (gradient_norm + decay * weight_norm) : 1;
  auto& m = now.state[0];
  for (size_t i = 0; i < now.size(); ++i) {
    m[i] = momentum * m[i] + now.learning_rate * ratio * (now.gradient[i] + decay * now.parameter[i]);
    now.parameter[i] -= m[i];
  }
}

Cost cost(const OpCall& call) { return update_cost(call, 10); }

}  // namespace

const Op& lars_update() {
  static const Op op = update_op<1, update>("lars_update", cost);
  return op;
}

const Optimizer& lars_optimizer() {
  static const Optimizer optimizer{
      "lars", "layer-wise adaptive rate scaling (You et al. 2017)", {"momentum"}, 10, lars_update, 0.01, true};
  return optimizer;
}

}  // namespace plimsoll
