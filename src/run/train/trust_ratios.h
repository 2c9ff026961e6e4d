// Trust ratios: what LARS and LAMB multiply the learning rate of each parameter by, so that all layers move by a like
// share of their own length. A layer that is far below the others hardly learns, one far above them may be what
// diverges.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run/exec/executor.h"

namespace plimsoll {

struct TrustRatio {
  std::string parameter;  // "conv1.weight"
  double ratio = 1;
};

// Of the latest update(), in the order of the updates. Empty for other optimizers, and before the first update;
// parameters that are not adapted (biases and norms in some presets) have none.
std::vector<TrustRatio> trust_ratios(const Executor& step);

struct TrustSpread {
  TrustRatio least, median, largest;
};

// nullopt of none. Of an even number the median is the lower of the two in the middle: a ratio that some layer has.
std::optional<TrustSpread> spread_of(std::vector<TrustRatio> ratios);

}  // namespace plimsoll
