// Convolutions with stride 1 by Fourier transforms of tiles (Mathieu, Henaff and LeCun, 2013, in tiles): worth their
// memory for kernels of 5x5 and larger. A tile of n x n numbers gives (n - k + 1) x (n - k + 1) outputs of a k x k
// kernel and takes 2 n x n multiplications for each pair of channels. Errors, as roots of mean squares, are less than
// 1e-6 of the numbers.
#pragma once

#include "run/exec/tiled_conv/tiled_conv.h"

namespace plimsoll {

struct FftConv : TiledConv {
  int size = 16;  // of a transform along an axis: 8, 16 or 32; larger than the kernel
};

// Of this machine, where tiled_conv_block() is not 0.
const TiledLoops<FftConv>& fft_loops();

// The size that should be fastest; 0: the kernel is too large for any.
int fft_size(const TiledConv& conv);

// How many times fewer operations than the direct way that size takes, moving numbers around included.
double fft_gain(const TiledConv& conv, int size);

}  // namespace plimsoll
