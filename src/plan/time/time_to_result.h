// Two networks are compared by the time to the result: epochs × time per epoch. 10 epochs in 24 h
// lose to 100 epochs in 2.5 h.
#pragma once

#include <cstdint>
#include <span>

#include "base/units.h"

namespace plimsoll {

struct Training {
  int64_t epochs = 0;
  Seconds epoch;

  Seconds total() const { return {double(epochs) * epoch.value}; }
};

// The index of the one that is done first; the earlier one on a tie.
size_t first_done(std::span<const Training> trainings);

}  // namespace plimsoll
