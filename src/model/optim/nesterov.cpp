// m = µm + g; w -= lr · (g + µm).
#include "model/optim/optimizer.h"

namespace plimsoll {

const Optimizer& nesterov_optimizer() {
  static const Optimizer optimizer{"nesterov", "SGD with Nesterov's momentum (Sutskever et al. 2013)", {"momentum"}, 6};
  return optimizer;
}

}  // namespace plimsoll
