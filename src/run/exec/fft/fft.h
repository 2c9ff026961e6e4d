// Convolutions with stride 1 by Fourier transforms of tiles (Mathieu, Henaff and LeCun, 2013, in tiles): worth their
// memory for kernels of 5x5 and larger. A tile of n x n numbers gives (n - k + 1) x (n - k + 1) outputs of a k x k
// kernel and takes about 3/2 n x n multiplications for each pair of channels. Errors, as roots of mean squares, are
// less than 1e-6 of the numbers.
#pragma once

#include "run/exec/tiled_conv/tiled_conv.h"

namespace plimsoll {

struct FftConv : TiledConv {
  int size = 16;  // of a transform along an axis: 8, 16 or 32; larger than the kernel
};

// The size that should be fastest; 0: the kernel is too large for any.
int fft_size(const TiledConv& conv);

// Floats of workspace.
int64_t fft_space(const FftConv& conv);
int64_t fft_gradient_space(const FftConv& conv);

// Threads as the conv says, whatever OpenMP was told.
void fft(const FftConv& conv, const float* x, const float* weights, ChannelShift shift, float* y, float* work);

// The gradient of the weights, from the input and the gradient of the output.
void fft_gradient(const FftConv& conv, const float* x, const float* dy, float* dweights, float* work);

}  // namespace plimsoll
