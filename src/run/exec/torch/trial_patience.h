// TrialPatience: whether trials of kernels will be over within the time that somebody waits for them. How fast the
// device is shows in the trials that are done, so nothing has to be known of it before.
#pragma once

#include <optional>

#include "base/units.h"

namespace plimsoll {

class TrialPatience {
 public:
  TrialPatience(Seconds most, Flops all) : most_(most), all_(all) {}

  // The time that all of them will take, where that is too much. `done`: of the work, in `spent`. The first sixtieth
  // of it says little: libraries are being loaded, and what has been tried is small.
  std::optional<Seconds> too_long(Flops done, Seconds spent) const;

 private:
  Seconds most_;
  Flops all_;
};

}  // namespace plimsoll
