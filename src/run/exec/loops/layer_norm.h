// Layer norm, and root-mean-square norm, over rows that stand one after the other. Gradients of scale and bias are
// summed in pieces of rows whose number does not depend on the threads, and joined in a fixed order.
#pragma once

#include <algorithm>
#include <cstdint>

namespace plimsoll {

struct LayerNormShape {
  int64_t rows = 0, length = 0;
  float epsilon = 0;
  bool centred = true;  // false: only divided, by the root of the mean square

  int64_t pieces() const { return std::min<int64_t>(rows, 64); }
  int64_t workspace() const { return pieces() * 2 * length; }  // floats, for the backward pass
};

// bias, mean and inverse (deviation) may be nullptr.
struct LayerNormForward {
  const float *x, *scale, *bias;
  float *y, *mean, *inverse;
};
void layer_norm_forward(const LayerNormShape& shape, const LayerNormForward& arrays);

// dx may lie over dy or x; dscale and dbias may be nullptr.
struct LayerNormBackward {
  const float *dy, *x, *scale;
  float *dx, *dscale, *dbias;
  float* work;
};
void layer_norm_backward(const LayerNormShape& shape, const LayerNormBackward& arrays);

}  // namespace plimsoll
