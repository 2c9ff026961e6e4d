// The backward pass of a convolution by tiles: from the gradient of the output to that of the input.
#pragma once

#include <utility>

#include "run/exec/tiled_conv/tiled_conv.h"

namespace plimsoll {

template <class Conv>
Conv way_back(Conv conv) {
  std::swap(conv.in_channels, conv.out_channels);
  std::swap(conv.in_height, conv.out_height);
  std::swap(conv.in_width, conv.out_width);
  conv.pad_top = conv.kernel_height - 1 - conv.pad_top;
  conv.pad_left = conv.kernel_width - 1 - conv.pad_left;
  conv.turned = true;
  return conv;
}

}  // namespace plimsoll
