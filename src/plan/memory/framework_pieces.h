// write_out_pieces: activations that transformers computes with several of PyTorch's operations, each of which keeps
// what it needs: "written_as" says so (model/hf/blocks.cpp).
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

void write_out_pieces(Program& forward);

}  // namespace plimsoll
