// v = αv + (1-α)g² (4); w -= lr · g / (√v + ε) (5 with the root). Settings: alpha (0.99), epsilon (1e-8), weight_decay
// (0).
#include <cmath>

#include "model/optim/optimizer.h"
#include "model/optim/update.h"

namespace plimsoll {
namespace {

void update(Update& now) {
  add_decay(now);
  const double alpha = now.settings.number("alpha", 0.99), epsilon = now.settings.number("epsilon", 1e-8);
  auto& v = now.state[0];
  for (size_t i = 0; i < now.size(); ++i) {
    const double g = now.gradient[i];
    v[i] = alpha * v[i] + (1 - alpha) * g * g;
    now.parameter[i] -= now.learning_rate * g / (std::sqrt(v[i]) + epsilon);
  }
}

Cost cost(const OpCall& call) { return update_cost(call, 9 + decay_flops(call.attributes)); }

}  // namespace

const Op& rmsprop_update() {
  static const Op op = update_op<1, update>("rmsprop_update", cost);
  return op;
}

const Optimizer& rmsprop_optimizer() {
  static const Optimizer optimizer{"rmsprop", "RMSprop (Tieleman and Hinton 2012)", {"mean_square"}, 9, rmsprop_update,
                                   0.001};
  return optimizer;
}

}  // namespace plimsoll
