// Concats whose pieces follow one another in memory (one image, or along the first axis): what writes a piece writes it
// into the whole, and nothing is left to copy. Runs when layouts, order and sharing of a lowered Program are settled.
#pragma once

#include "run/exec/onednn/onednn_lowering.h"

namespace plimsoll {

// Sets the storage and the offset of pieces. A piece that somebody else needs, or that lives elsewhere, stays where it
// is and is copied.
void join_in_place(OnednnLowered& lowered);

}  // namespace plimsoll
