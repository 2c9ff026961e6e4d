// How far off predicted step times and forecasts for several workers have been: computed from published measurements
// when the program is made, never typed in (the tables are written by `make accuracy` and held to the measurements by a
// test).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace plimsoll {

struct AccuracyRow {
  std::string_view measured;  // what, on what, with what
  int64_t rows;
  double median_error;  // 0.1: half of the predictions are within 10 % of the measurement
  double worst_factor;  // 2: the worst is twice or half of it
  double within_30;     // share of the predictions that are within 30 %
};

// The last one is the sum of the rows that the model is held to: GPUs with cuDNN or PyTorch.
std::span<const AccuracyRow> step_time_accuracy();

// Of speed-ups and of efficiency. The last one is the sum of published runs, to which nothing was fitted.
std::span<const AccuracyRow> scaling_accuracy();

}  // namespace plimsoll
