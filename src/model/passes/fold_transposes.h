// fold_transposes: a matrix product reads a weight that was transposed for it as it is stored, by its transA or transB.
// The transpose would copy the whole weight, and its gradient once more; a product reads either way as fast.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// The number of operands that are read as they are stored. Transposes that nobody reads any more stay for remove_dead.
int64_t fold_transposes(Program& program);

}  // namespace plimsoll
