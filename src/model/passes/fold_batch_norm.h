// Folds a batch norm with stored statistics into the convolution before it, where nobody else reads the convolution's
// result: in an inference its numbers then pass through memory once.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// Whose the parameters are.
enum class Parameters : uint8_t {
  own,     // the inference's: the norm goes into the weights (Program::folded), and is not there at the run
  shared,  // a training step's: they stay as they are, and the norm is part of the operation (conv_norm)
};

// How many were folded.
int64_t fold_batch_norm(Program& program, Parameters parameters);

}  // namespace plimsoll
