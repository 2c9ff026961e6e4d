// norm-pieces: a batch norm of a concat along the channels reads the pieces themselves, and its backward pass writes
// the gradient of each piece, added to what the piece has already. The concat, the split after the gradient and the
// sums are gone, and with them their memory: in a DenseNet the pieces are read by every layer that follows.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// How many operations are gone.
int64_t norm_pieces(Program& program);

}  // namespace plimsoll
