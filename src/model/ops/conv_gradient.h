// The two products of a convolution's backward pass. Each costs what the forward pass does.
//   conv_grad_data:    dy, weights → dx; attributes of conv and "input_shape"
//   conv_grad_weights: x, dy → dw; attributes of conv and "weights_shape"
#pragma once

#include "model/ir/op.h"

namespace plimsoll {

const Op& conv_grad_data();
const Op& conv_grad_weights();

}  // namespace plimsoll
