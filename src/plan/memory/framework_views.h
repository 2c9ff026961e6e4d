// take_views: what PyTorch only looks at and never writes out. Parts of a split, slices and single entries of an axis
// lie in the memory of the whole, which stays as long as one of them; a tensor that is expanded to meet another is read
// with strides of 0.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

void take_views(Program& forward);

}  // namespace plimsoll
