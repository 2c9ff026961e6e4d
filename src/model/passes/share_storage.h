// Decides which values live in another value's memory: views always, what an update replaces, and results that
// may be written over an input which nobody reads any more.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

enum class Overwriting {
  wherever_possible,  // our engine: every element-wise operation
  as_written,         // other frameworks: what the network itself asks for (ReLU, dropout), sums of gradients
};

// Sets ProgramValue::storage. The order of the operations is final from here on.
void share_storage(Program& program, Overwriting overwriting);

}  // namespace plimsoll
