// m = µm + (1-d)g, the first m being g itself; w -= lr · m. Settings: momentum µ (0.9), dampening d (0), weight_decay
// (0).
#include "model/optim/optimizer.h"
#include "model/optim/update.h"

namespace plimsoll {
namespace {

double dampening(const Attributes& settings) { return settings.number("dampening", 0); }

void update(Update& now) {
  add_decay(now);
  const double momentum = now.settings.number("momentum", 0.9);
  const double share = now.step <= 1 ? 1 : 1 - dampening(now.settings);
  auto& m = now.state[0];
  for (size_t i = 0; i < now.size(); ++i) {
    m[i] = momentum * m[i] + share * now.gradient[i];
    now.parameter[i] -= now.learning_rate * m[i];
  }
}

Cost cost(const OpCall& call) {
  return update_cost(call, 4 + decay_flops(call.attributes) + (dampening(call.attributes) == 0 ? 0 : 1));
}

}  // namespace

const Op& momentum_update() {
  static const Op op = update_op<1, update>("momentum_update", cost);
  return op;
}

const Optimizer& momentum_optimizer() {
  static const Optimizer optimizer{
      "momentum", "SGD with momentum 0.9 (Polyak 1964)", {"momentum"}, 4, momentum_update, 0.01, true};
  return optimizer;
}

}  // namespace plimsoll
