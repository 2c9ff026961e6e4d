// Convolution, batch norm, ReLU: the unit that torchvision's GoogLeNet and Inception v3 are made of.
#pragma once

#include "model/build/builder.h"

namespace plimsoll {

// Layers name.conv, name.bn and name.relu. The convolution has no bias; batch norm brings one.
inline ValueId basic_conv(Builder& b, const std::string& name, ValueId x, int64_t kernels, ConvOptions options) {
  options.bias = false;
  x = b.batch_norm(name + ".bn", b.conv(name + ".conv", x, kernels, options), 1e-3);
  return b.relu(name + ".relu", x);
}

}  // namespace plimsoll
