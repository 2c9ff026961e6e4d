// v = αv + (1-α)g² (4); w -= lr · g / (√v + ε) (4).
#include "model/optim/optimizer.h"

namespace plimsoll {

const Optimizer& rmsprop_optimizer() {
  static const Optimizer optimizer{"rmsprop", "RMSprop (Tieleman and Hinton 2012)", {"mean_square"}, 8};
  return optimizer;
}

}  // namespace plimsoll
