// Computes what depends on constants alone. bind() has done so for the graph; this is for what later passes add.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// How many operations went.
int64_t fold_constants(Program& program);

}  // namespace plimsoll
