// w -= lr · g: one multiply-add.
#include "model/optim/optimizer.h"

namespace plimsoll {

const Optimizer& sgd_optimizer() {
  static const Optimizer optimizer{"sgd", "plain stochastic gradient descent", {}, 2};
  return optimizer;
}

}  // namespace plimsoll
