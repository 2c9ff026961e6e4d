// Convolutions of each channel with a kernel of its own, of any size, at stride 1 or 2 along rows, computed directly: a
// vector holds a block of channels, and a tile of outputs stays in registers while a row of the kernel passes over it.
//
// Values lie with their channels in blocks (as oneDNN's nChw16c, nChw8c) or with the channels last, then without a rest
// of channels; weights as Goihw16g or Goihw8g. Channels that only pad a block hold zeros, and get zeros.
#pragma once

#include <cstdint>

namespace plimsoll {

struct DepthwiseConv {
  int64_t batch = 0, channels = 0;
  int64_t in_height = 0, in_width = 0;
  int64_t out_height = 0, out_width = 0;
  int64_t kernel_height = 3, kernel_width = 3;
  int64_t stride_down = 1, stride_along = 1;
  int64_t pad_top = 0, pad_left = 0;
  int threads = 1;
  bool channels_last = false;
  bool adds = false;  // to what lies in the output
  bool relu = false;
};

// The loops of one instruction set.
struct DepthwiseLoops {
  int64_t block;
  // shift: a number for each channel of whole blocks, or nullptr
  void (*forward)(const DepthwiseConv&, const float* x, const float* weights, const float* shift, float* y);
  void (*grad_data)(const DepthwiseConv&, const float* dy, const float* weights, float* dx);
  int64_t (*gradient_space)(const DepthwiseConv&);  // floats
  void (*grad_weights)(const DepthwiseConv&, const float* x, const float* dy, float* dweights, float* work);
};

// Of this machine, where tiled_conv_block() is not 0.
const DepthwiseLoops& depthwise_loops();

}  // namespace plimsoll
