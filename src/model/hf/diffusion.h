// What the networks of image diffusion are made of: group norms, residual blocks, and pictures of twice the size.
#pragma once

#include "model/hf/request.h"

namespace plimsoll {

ValueId group_norm(Builder& b, const std::string& name, ValueId x, int64_t groups, double epsilon);

struct ResidualOptions {
  int64_t groups = 32;
  double epsilon = 1e-6;
  ValueId time = {};  // an embedding of the time step, added to every pixel; absent: none
};
ValueId residual_block(Builder& b, ValueId x, int64_t channels, const ResidualOptions& options);

// Each pixel four times, then a convolution.
ValueId upsampled(Builder& b, ValueId x);

}  // namespace plimsoll
