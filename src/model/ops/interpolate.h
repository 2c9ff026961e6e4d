// Interpolation on a grid, for resize and upsample: every axis maps its output places to places
// between the input's, and each output is a weighted sum of the input numbers around it.
#pragma once

#include <string>
#include <vector>

#include "model/ir/op.h"

namespace plimsoll {

struct AxisResize {
  int64_t in = 0, out = 0;
  double scale = 1;                   // as stated: out may be rounded down from in × scale
  double roi_begin = 0, roi_end = 1;  // the part of the input that tf_crop_and_resize reads
};

struct Interpolation {
  std::vector<AxisResize> axes;
  std::string mode = "nearest";  // nearest, linear or cubic
  std::string coordinates = "half_pixel";
  std::string nearest = "round_prefer_floor";
  double cubic_a = -0.75;
  bool exclude_outside = false;
  bool antialias = false;
  double extrapolation = 0;
};

// Names that are known, sizes that make sense; an error says what is wrong.
Status check_interpolation(const Interpolation& how);

// A weighted sum of 2 (linear) or 4 (cubic) numbers along each axis that changes: a product each
// and the additions between them, so 7 operations an output for a bilinear image. Nearest has none.
Cost interpolation_cost(const Interpolation& how, Count outputs);

// False for number types or antialiasing that it has no maths for.
bool interpolate(const Interpolation& how, const TensorView& in, const TensorView& out);

// The gradient of the input: each output's spread over the numbers that it mixed, a product and an addition each.
bool interpolate_back(const Interpolation& how, const TensorView& dy, const TensorView& dx);
Cost interpolation_grad_cost(const Interpolation& how, Count outputs);

}  // namespace plimsoll
