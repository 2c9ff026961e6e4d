// Recomputation: values that the backward pass needs are dropped after the forward pass and computed again just
// before they are needed. Dropped first is what saves the most bytes for each operation added.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

struct Recomputation {
  int64_t dropped = 0;  // values
  Bytes saved;          // their bytes; the peak falls by less, as they come back one by one
  Flops added;
};

// Adds at most `share` of the forward pass's operations. Runs on a program with its backward pass, before
// storage is shared.
Recomputation recompute(Program& program, double share);

}  // namespace plimsoll
