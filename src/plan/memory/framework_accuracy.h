// How good a framework's profile has been, measured against published runs: the same that it was fitted to, so a
// card or network that is not among them may be further off. The figures are computed by tools/fit_memory_profile.py
// and held to the measurements by a test.
#pragma once

#include <optional>
#include <string_view>

#include "plan/memory/framework_profile.h"

namespace plimsoll {

struct ProfileAccuracy {
  int64_t rows = 0;         // measurements
  double median_error = 0;  // of the expected peak, as a share of the measured one
  double largest_error = 0;
  double outside = 0;  // share of the measurements outside low–high
  std::string_view source;
  std::string_view kind;  // of what was measured; of others nothing is known
};

// nullopt: never checked, or exact.
std::optional<ProfileAccuracy> accuracy_of(Framework framework);

}  // namespace plimsoll
