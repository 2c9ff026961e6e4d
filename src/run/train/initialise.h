// Fills what an Executor keeps from step to step: parameters, buffers and what the optimizer keeps. How fresh numbers
// are drawn is written in start_rule.h; they depend on the seed and the tensors' names alone.
//
// Numbers wait in Executor::scratch() on their way in, so filling a training step takes no memory of its own. Call it
// between runs.
#pragma once

#include "model/ir/weights.h"
#include "run/exec/executor.h"

namespace plimsoll {

void initialise(Executor& executor, uint64_t seed);

// Writes those stored tensors that `weights` has, and leaves the others as they are; how many it wrote.
Result<int64_t> load_weights(Executor& executor, const Weights& weights);

}  // namespace plimsoll
