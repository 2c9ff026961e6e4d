// Adam's 13, and w -= lr · λ · w.
#include "model/optim/optimizer.h"

namespace plimsoll {

const Optimizer& adamw_optimizer() {
  static const Optimizer optimizer{
      "adamw", "Adam with decoupled weight decay (Loshchilov and Hutter 2019)", {"first_moment", "second_moment"}, 15};
  return optimizer;
}

}  // namespace plimsoll
