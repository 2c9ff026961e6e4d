// Norms of w and g (4), g + λw (2), scaled by the trust ratio (1), momentum and step (4).
#include "model/optim/optimizer.h"

namespace plimsoll {

const Optimizer& lars_optimizer() {
  static const Optimizer optimizer{"lars", "layer-wise adaptive rate scaling (You et al. 2017)", {"momentum"}, 11};
  return optimizer;
}

}  // namespace plimsoll
