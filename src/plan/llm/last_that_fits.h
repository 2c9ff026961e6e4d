// The last number that fits, near a guess: from there the steps double, up while it fits and down while it does not,
// and then the middle is asked. A guess that is off by d takes about 2 log2 d questions, a right one two.
//
// `low` fits, `high` does not; `fits(n)` is a Result<bool> and is asked between them only.
#pragma once

#include "base/result.h"

namespace plimsoll {

template <class Fits>
Result<int64_t> last_that_fits(int64_t low, int64_t high, int64_t guess, Fits fits) {
  int64_t step = 1;
  while (high - low > 1) {
    if (guess <= low || guess >= high) guess = low + (high - low) / 2;
    PLIM_ASSIGN(const bool fit, fits(guess));
    (fit ? low : high) = guess;
    guess += fit ? step : -step;
    step *= 2;
  }
  return low;
}

}  // namespace plimsoll
