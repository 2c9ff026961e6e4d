// What a network wants of a dataset: read from its forward Program.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

struct NetworkInput {
  TensorType sample;            // its first input without the batch axis
  int64_t classes = 0;          // outputs of its first output
  int64_t vocabulary = 20'000;  // entries of the table that its tokens are looked up in; of no use for pictures
};

// An error when the input or the output is not of a known size, or has no batch axis.
Result<NetworkInput> network_input(const Program& forward);

}  // namespace plimsoll
