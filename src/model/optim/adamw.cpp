// w -= lr · λ · w (2), then Adam's step (13). Settings: beta1 (0.9), beta2 (0.999), epsilon (1e-8), weight_decay λ
// (0.01).
#include <cmath>

#include "model/optim/optimizer.h"
#include "model/optim/update.h"

namespace plimsoll {
namespace {

void update(Update& now) {
  const double decay = now.settings.number("weight_decay", 0.01), epsilon = now.settings.number("epsilon", 1e-8);
  const Corrections corrections = update_moments(now);
  const double rate = now.learning_rate / corrections.first, root = std::sqrt(corrections.second);
  for (size_t i = 0; i < now.size(); ++i) {
    now.parameter[i] -= now.learning_rate * decay * now.parameter[i];
    now.parameter[i] -= rate * now.state[0][i] / (std::sqrt(now.state[1][i]) / root + epsilon);
  }
}

Cost cost(const OpCall& call) { return update_cost(call, 15); }

}  // namespace

const Op& adamw_update() {
  static const Op op = update_op<2, update>("adamw_update", cost);
  return op;
}

const Optimizer& adamw_optimizer() {
  static const Optimizer optimizer{"adamw",
                                   "Adam with decoupled weight decay (Loshchilov and Hutter 2019)",
                                   {"first_moment", "second_moment"},
                                   15,
                                   adamw_update,
                                   0.001};
  return optimizer;
}

}  // namespace plimsoll
