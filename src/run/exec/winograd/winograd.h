// Convolutions with 3x3 kernels and stride 1 in Winograd's domain (Lavin and Gray, 2016): tiles of the input and the
// kernels are transformed, multiplied point by point, and transformed back. F(4x4, 3x3) multiplies a quarter as often
// as the direct way, F(2x2, 3x3) four ninths; both need more memory and round more coarsely: errors, as roots of mean
// squares, of less than 1e-5 and 1e-6 of the numbers.
//
// Values lie as oneDNN blocks them: channels in blocks of winograd_block(), weights as OIhw{b}i{b}o. Channels that only
// pad a block hold zeros, and get zeros.
#pragma once

#include <cstdint>

namespace plimsoll {

struct WinogradConv {
  int64_t batch = 0;
  int64_t in_channels = 0, in_height = 0, in_width = 0;
  int64_t out_channels = 0, out_height = 0, out_width = 0;
  int64_t pad_top = 0, pad_left = 0;
  int tile = 4;  // outputs of a tile along an axis: 2 or 4
  int threads = 1;
  // Read the weights turned by 180 degrees, with inputs and outputs exchanged: a gradient's way back to the input is
  // the convolution of the output's gradient with them.
  bool turned = false;
  bool relu = false;
};

// Channels in a block on this machine; 0: it has no instruction set that we have kernels for.
int64_t winograd_block();

// Floats of workspace.
int64_t winograd_space(const WinogradConv& conv);
int64_t winograd_gradient_space(const WinogradConv& conv);

// What each channel of the result is multiplied with and shifted by as it is written, for whole blocks of channels.
// No shift, no scale.
struct ChannelShift {
  const float* scale = nullptr;
  const float* shift = nullptr;
};

// Threads as the conv says, whatever OpenMP was told.
void winograd(const WinogradConv& conv, const float* x, const float* weights, ChannelShift shift, float* y,
              float* work);

// The gradient of the weights, from the input and the gradient of the output.
void winograd_gradient(const WinogradConv& conv, const float* x, const float* dy, float* dweights, float* work);

}  // namespace plimsoll
