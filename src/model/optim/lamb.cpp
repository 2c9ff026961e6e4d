// Adam's direction (11), + λw (2), norms of w and of the direction (4), scaled step (3).
#include "model/optim/optimizer.h"

namespace plimsoll {

const Optimizer& lamb_optimizer() {
  static const Optimizer optimizer{
      "lamb", "layer-wise adaptive moments (You et al. 2020)", {"first_moment", "second_moment"}, 20};
  return optimizer;
}

}  // namespace plimsoll
