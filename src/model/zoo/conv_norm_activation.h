// Convolution, batch norm, activation, numbered 0, 1, 2: the unit that torchvision's mobile networks,
// EfficientNet and RegNet are made of. Also the squeeze-and-excitation that most of them share.
#pragma once

#include "model/build/builder.h"

namespace plimsoll {

enum class UnitActivation { none, relu, relu6, silu, hard_swish };

struct UnitOptions {
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t groups = 1;
  UnitActivation activation = UnitActivation::none;
  double epsilon = 1e-5;
};

ValueId activate(Builder& b, const std::string& name, ValueId x, UnitActivation activation);

// Layers name.0 (no bias, padded to keep the size), name.1 and, if there is an activation, name.2.
ValueId conv_norm_activation(Builder& b, const std::string& name, ValueId x, int64_t kernels,
                             const UnitOptions& options);

// Scales every channel by a number from 0 to 1 that two 1×1 convolutions compute from all channels' means.
// `gate` is "sigmoid" or "hard_sigmoid".
ValueId squeeze_excite(Builder& b, const std::string& name, ValueId x, int64_t squeeze, UnitActivation activation,
                       const std::string& gate);

// The multiple of 8 that is nearest to `channels`, but never below 90 % of it.
int64_t divisible_by_8(double channels);

}  // namespace plimsoll
