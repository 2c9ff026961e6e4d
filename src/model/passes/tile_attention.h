// tile_attention: queries, keys and values that are cut into heads, multiplied, put through a softmax and multiplied
// again become one grouped_attention, which our kernels compute in tiles: no score is kept, and heads are read where
// they lie. Its gradient forms the scores again. Those that are one operation already, and would keep their softmax,
// no longer keep it.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// The number of attentions that are computed in tiles. Operations that nobody reads any more are taken out.
int64_t tile_attention(Program& program);

}  // namespace plimsoll
