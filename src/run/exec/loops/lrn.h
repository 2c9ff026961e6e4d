// Local response norm over neighbouring channels of row-major (batch, channels, places), and its backward pass.
#pragma once

#include <cstdint>

namespace plimsoll {

struct LrnShape {
  int64_t batch = 0, channels = 0, places = 0;
  int64_t size = 1;  // channels of a neighbourhood
  float alpha = 0, beta = 0, bias = 0;

  static constexpr int64_t kStrip = 64;                        // places at a time
  int64_t workspace() const { return 2 * channels * kStrip; }  // floats, of each thread
};

void lrn_forward(const LrnShape& shape, const float* x, float* y, float* work);
void lrn_backward(const LrnShape& shape, const float* dy, const float* x, float* dx, float* work);

}  // namespace plimsoll
