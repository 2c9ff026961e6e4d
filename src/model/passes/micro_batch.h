// Micro-batches: the step runs several small batches one after the other and adds up their gradients before it
// updates. Memory is that of the small batch; the gradients' memory is kept from one to the next.
#pragma once

#include "model/ir/program.h"
#include "model/passes/parameter_gradient.h"

namespace plimsoll {

// `program` is bound to the small batch. Afterwards `gradients` are the sums.
Status add_micro_batches(Program& program, std::vector<ParameterGradient>& gradients, int64_t micro_batches);

}  // namespace plimsoll
