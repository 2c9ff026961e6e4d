// The operations of one training step: forward, loss, backward, update. They are those of the step itself; where an
// operation has no gradient rule, a rule of thumb stands in and says why.
#pragma once

#include <string>

#include "model/ir/program.h"
#include "model/optim/optimizer.h"

namespace plimsoll {

struct TrainFlops {
  Flops flops;
  Macs macs;                // of products, forward and backward
  std::string why_by_rule;  // empty: of the step itself
};

TrainFlops train_flops(const Program& program, const Optimizer& optimizer);

}  // namespace plimsoll
