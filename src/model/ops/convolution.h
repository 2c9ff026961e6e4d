// The convolution that conv and its integer kin share: checked sizes, cost, and maths in double.
#pragma once

#include "model/ops/window.h"

namespace plimsoll {

struct Convolution {
  Window window;
  int64_t groups = 1;
  Shape output;
};

// Of x (batch, channels, spatial …) with weights (kernels, channels / groups, spatial …) and
// ONNX's attributes.
Result<Convolution> convolution(const Attributes& attributes, const Shape& x, const Shape& weights);

// Each output is a product over channels / groups × kernel; its bias stands in for the addition
// that the first product does not need, so a multiply-add is two with or without bias.
Cost convolution_cost(const Shape& output, const Shape& weights);

// The output's numbers. `bias` may be empty.
std::vector<double> convolve(const Convolution& convolution, const Shape& x_shape, const std::vector<double>& x,
                             const Shape& weights_shape, const std::vector<double>& weights,
                             const std::vector<double>& bias);

}  // namespace plimsoll
