// w -= lr · g: one multiply-add. Settings: weight_decay (0).
#include "model/optim/optimizer.h"
#include "model/optim/update.h"

namespace plimsoll {
namespace {

void update(Update& now) {
  add_decay(now);
  for (size_t i = 0; i < now.size(); ++i) now.parameter[i] -= now.learning_rate * now.gradient[i];
}

Cost cost(const OpCall& call) { return update_cost(call, 2 + decay_flops(call.attributes)); }

}  // namespace

const Op& sgd_update() {
  static const Op op = update_op<0, update>("sgd_update", cost);
  return op;
}

const Optimizer& sgd_optimizer() {
  static const Optimizer optimizer{"sgd", "plain stochastic gradient descent", {}, 2, sgd_update};
  return optimizer;
}

}  // namespace plimsoll
