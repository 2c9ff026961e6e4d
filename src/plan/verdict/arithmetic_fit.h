// The largest batch by arithmetic, for those who have only three numbers:
//   model + batch × (sample + activations and gradients of a sample) ≤ load line × memory.
#pragma once

#include <optional>

#include "base/result.h"
#include "base/units.h"

namespace plimsoll {

struct ArithmeticLoad {
  Bytes model;                // parameters
  Bytes sample, activations;  // of one sample; activations with their gradients

  Bytes at(int64_t batch) const { return model + (sample + activations) * batch; }
};

struct ArithmeticFit {
  ArithmeticLoad load;
  Bytes memory;
  double load_line = 0;
  Bytes line;             // bytes under the line
  int64_t largest = 0;    // batch under the line; 0: not even one sample
  int64_t batch = 0;      // what was asked for; else the largest, and one when that is 0
  bool fits = false;      // `batch` does
  Bytes peak;             // of `batch`
  Bytes shortfall;        // peak past the line; 0 when it fits
  Bytes smallest_memory;  // that would carry `batch`
};

Result<ArithmeticFit> fit_by_arithmetic(const ArithmeticLoad& load, Bytes memory, double load_line,
                                        std::optional<int64_t> batch);

}  // namespace plimsoll
