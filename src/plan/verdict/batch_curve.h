// The memory of a step against its batch, under one framework.
#pragma once

#include "plan/verdict/fit.h"

namespace plimsoll {

inline constexpr int64_t kLargestDrawnBatch = 1024;

struct BatchLoadPoint {
  int64_t batch = 1;
  Bytes peak;
};

struct BatchCurve {
  std::string framework;
  std::vector<BatchLoadPoint> points;
};

// By doublings, up to kLargestDrawnBatch, whatever the memory.
Result<BatchCurve> batch_curve(FitQuestion question, Framework framework, const std::optional<Device>& device);

}  // namespace plimsoll
