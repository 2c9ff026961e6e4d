// WireRounding: by how much gradients change when they travel in 16 bits: the length of the difference over the length
// of what it was before, of what the workers send and of the mean that comes back.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "run/dist/packed_mean.h"

namespace plimsoll {

struct RoundingShare {
  double sent = 0, mean = 0;
};

class WireRounding {
 public:
  // One step, in squared lengths.
  void add(double sent_square, double mean_square, const Rounded& rounded) {
    const auto share = [](double changed, double whole) { return whole > 0 ? std::sqrt(changed / whole) : 0; };
    latest_ = {share(rounded.sent, sent_square), share(rounded.mean, mean_square)};
    sum_ = {sum_.sent + latest_.sent, sum_.mean + latest_.mean};
    largest_ = {std::max(largest_.sent, latest_.sent), std::max(largest_.mean, latest_.mean)};
    ++steps_;
  }

  int64_t steps() const { return steps_; }
  const RoundingShare& latest() const { return latest_; }
  const RoundingShare& largest() const { return largest_; }
  RoundingShare average() const {
    const auto steps = double(std::max<int64_t>(steps_, 1));
    return {sum_.sent / steps, sum_.mean / steps};
  }

 private:
  RoundingShare latest_, sum_, largest_;
  int64_t steps_ = 0;
};

}  // namespace plimsoll
