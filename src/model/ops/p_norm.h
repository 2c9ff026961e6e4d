// What the backward pass through pooled p-norms shares.
#pragma once

#include <cmath>

#include "model/ir/backward.h"

namespace plimsoll {

// The derivative of y = (Σ |x|^p)^(1/p) by one x: ± (|x| / y)^(p - 1); 0 where all are 0.
inline double p_norm_slope(double x, double y, double p) {
  if (y == 0 || x == 0) return 0;
  return std::copysign(std::pow(std::abs(x) / y, p - 1), x);
}

// dy, x, y → dx, of x's type.
inline Result<std::vector<TensorType>> like_x(const OpCall& call) { return std::vector{call.type(1)}; }

}  // namespace plimsoll
