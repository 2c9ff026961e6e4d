// A convolution with stride 1 that is computed tile by tile in another domain: tiles of the input and the kernels are
// transformed, multiplied point by point, and transformed back. winograd/ and fft/ are two such domains; what they
// share is here.
//
// Values lie as oneDNN blocks them: channels in blocks of tiled_conv_block(), weights as OIhw{b}i{b}o. Channels that
// only pad a block hold zeros, and get zeros.
#pragma once

#include <cstdint>

namespace plimsoll {

struct TiledConv {
  int64_t batch = 0;
  int64_t in_channels = 0, in_height = 0, in_width = 0;
  int64_t out_channels = 0, out_height = 0, out_width = 0;
  int64_t kernel_height = 3, kernel_width = 3;
  int64_t pad_top = 0, pad_left = 0;
  int threads = 1;
  // Read the weights turned by 180 degrees, with inputs and outputs exchanged: the input's gradient is the convolution
  // of the output's gradient with them.
  bool turned = false;
  bool adds = false;  // to what lies in the output
  bool relu = false;
};

// What each channel of the result is multiplied with and shifted by as it is written, for whole blocks of channels.
// No shift, no scale.
struct ChannelShift {
  const float* scale = nullptr;
  const float* shift = nullptr;
};

// The loops of one instruction set for one domain, whose Conv is a TiledConv and says which tiles it wants.
template <class Conv>
struct TiledLoops {
  int64_t block;
  int64_t (*space)(const Conv&);
  int64_t (*gradient_space)(const Conv&);
  void (*convolve)(const Conv&, const float* x, const float* weights, ChannelShift shift, float* y, float* work);
  void (*gradient)(const Conv&, const float* x, const float* dy, float* dweights, float* work);
};

// Channels in a block on this machine; 0: it has no instruction set that we have kernels for.
int64_t tiled_conv_block();

}  // namespace plimsoll
