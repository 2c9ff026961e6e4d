// m = β₁m + (1-β₁)g (3); v = β₂v + (1-β₂)g² (4); w -= lr · m̂ / (√v̂ + ε) (6).
#include "model/optim/optimizer.h"

namespace plimsoll {

const Optimizer& adam_optimizer() {
  static const Optimizer optimizer{"adam", "Adam (Kingma and Ba 2015)", {"first_moment", "second_moment"}, 13};
  return optimizer;
}

}  // namespace plimsoll
