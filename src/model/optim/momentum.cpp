// m = µm + g; w -= lr · m.
#include "model/optim/optimizer.h"

namespace plimsoll {

const Optimizer& momentum_optimizer() {
  static const Optimizer optimizer{"momentum", "SGD with momentum 0.9 (Polyak 1964)", {"momentum"}, 4};
  return optimizer;
}

}  // namespace plimsoll
