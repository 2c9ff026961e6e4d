// m = µm + g; w -= lr · (g + µm). Settings: momentum µ (0.9), weight_decay (0).
#include "model/optim/optimizer.h"
#include "model/optim/update.h"

namespace plimsoll {
namespace {

void update(Update& now) {
  add_decay(now);
  const double momentum = now.settings.number("momentum", 0.9);
  auto& m = now.state[0];
  for (size_t i = 0; i < now.size(); ++i) {
    m[i] = momentum * m[i] + now.gradient[i];
    now.parameter[i] -= now.learning_rate * (now.gradient[i] + momentum * m[i]);
  }
}

Cost cost(const OpCall& call) { return update_cost(call, 6 + decay_flops(call.attributes)); }

}  // namespace

const Op& nesterov_update() {
  static const Op op = update_op<1, update>("nesterov_update", cost);
  return op;
}

const Optimizer& nesterov_optimizer() {
  static const Optimizer optimizer{
      "nesterov", "SGD with Nesterov's momentum (Sutskever et al. 2013)", {"momentum"}, 6, nesterov_update, 0.01, true};
  return optimizer;
}

}  // namespace plimsoll
