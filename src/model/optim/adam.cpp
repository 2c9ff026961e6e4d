// m = β₁m + (1-β₁)g (3); v = β₂v + (1-β₂)g² (4); w -= lr · m̂ / (√v̂ + ε) (6), the hats being corrections for the
// start at zero. Settings: beta1 (0.9), beta2 (0.999), epsilon (1e-8), weight_decay (0).
#include <cmath>

#include "model/optim/optimizer.h"
#include "model/optim/update.h"

namespace plimsoll {
namespace {

void update(Update& now) {
  add_decay(now);
  const double epsilon = now.settings.number("epsilon", 1e-8);
  const Corrections corrections = update_moments(now);
  const double rate = now.learning_rate / corrections.first, root = std::sqrt(corrections.second);
  for (size_t i = 0; i < now.size(); ++i)
    now.parameter[i] -= rate * now.state[0][i] / (std::sqrt(now.state[1][i]) / root + epsilon);
}

Cost cost(const OpCall& call) { return update_cost(call, 13 + decay_flops(call.attributes)); }

}  // namespace

const Op& adam_update() {
  static const Op op = update_op<2, update>("adam_update", cost);
  return op;
}

const Optimizer& adam_optimizer() {
  static const Optimizer optimizer{
      "adam", "Adam (Kingma and Ba 2015)", {"first_moment", "second_moment"}, 13, adam_update, 0.001};
  return optimizer;
}

}  // namespace plimsoll
