// The verdict: CPU or GPU, and why, in sentences made from the numbers. The GPU pays when it is more times faster
// than it is dearer.
#pragma once

#include <string>
#include <vector>

#include "plan/verdict/place.h"

namespace plimsoll {

struct Verdict {
  std::string choice;  // the name of a device; empty when nothing fits
  std::string kind;    // "gpu", "cpu"; empty when nothing fits
  std::vector<std::string> reasons;
  std::optional<double> speed_up;     // of the GPU over the CPU
  std::optional<double> price_ratio;  // of an hour: GPU over CPU
};

// Of placements that are ranked. Compares the best GPU with the best CPU where there are both.
Verdict verdict(const Job& job, const std::vector<JobPlacement>& ranked);

}  // namespace plimsoll
