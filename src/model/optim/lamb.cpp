// Adam's direction r = m̂ / (√v̂ + ε) (12), + λw (2), norms of w and of the direction (4), w -= lr · ‖w‖ / ‖r + λw‖ ·
// (r + λw) (2). The ratio is 1 where a norm is 0. Settings: beta1 (0.9), beta2 (0.999), epsilon (1e-6), weight_decay λ
// (0.01), as published; adapt (1): 0 leaves the ratio at 1. presets.cpp has how others use them.
#include <cmath>

#include "model/optim/optimizer.h"
#include "model/optim/update.h"

namespace plimsoll {
namespace {

void update(Update& now) {
  const double decay = now.settings.number("weight_decay", 0.01), epsilon = now.settings.number("epsilon", 1e-6);
  const Corrections corrections = update_moments(now);
  auto& direction = now.gradient;
  for (size_t i = 0; i < now.size(); ++i)
    direction[i] = now.state[0][i] / corrections.first / (std::sqrt(now.state[1][i] / corrections.second) + epsilon) +
                   decay * now.parameter[i];
  const double weight_norm = norm(now.parameter), direction_norm = norm(direction);
  const bool adapt = now.settings.integer("adapt", 1) != 0;
  const double ratio = adapt && weight_norm > 0 && direction_norm > 0 ? weight_norm / direction_norm : 1;
  for (size_t i = 0; i < now.size(); ++i) now.parameter[i] -= now.learning_rate * ratio * direction[i];
}

Cost cost(const OpCall& call) { return update_cost(call, 20); }

}  // namespace

const Op& lamb_update() {
  static const Op op = update_op<2, update>("lamb_update", cost);
  return op;
}

const Optimizer& lamb_optimizer() {
  static const Optimizer optimizer{
      "lamb", "layer-wise adaptive moments (You et al. 2020)", {"first_moment", "second_moment"}, 20, lamb_update,
      0.001};
  return optimizer;
}

}  // namespace plimsoll
