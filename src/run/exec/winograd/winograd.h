// Convolutions with 3x3 kernels and stride 1 in Winograd's domain (Lavin and Gray, 2016): tiles of the input and the
// kernels are transformed, multiplied point by point, and transformed back. F(4x4, 3x3) multiplies a quarter as often
// as the direct way, F(2x2, 3x3) four ninths; both need more memory and round more coarsely: errors, as roots of mean
// squares, of less than 1e-5 and 1e-6 of the numbers.
#pragma once

#include "run/exec/tiled_conv/tiled_conv.h"

namespace plimsoll {

struct WinogradConv : TiledConv {
  int tile = 4;  // outputs of a tile along an axis: 2 or 4
};

// Of this machine, where tiled_conv_block() is not 0.
const TiledLoops<WinogradConv>& winograd_loops();

}  // namespace plimsoll
