// Straggler: the worker that the others wait for. All take the same step, so the slowest sets the pace of all; when one
// takes far longer than the middle of the others for a while, it is named, once.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace plimsoll {

struct StragglerFound {
  int rank = 0;
  double times = 1;    // as long as the median of the others
  double seconds = 0;  // by which every step is longer for it
};

class Straggler {
 public:
  // The seconds that each rank computed in one step, without waiting for others.
  std::optional<StragglerFound> step(std::span<const double> seconds);

 private:
  std::vector<double> lately_;
  int64_t steps_ = 0;
  std::set<int> named_;
};

}  // namespace plimsoll
