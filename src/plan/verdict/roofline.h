// The roofline: how often each operation of a step uses a byte that it reads, and how fast it is predicted to run,
// under the roof of what the device computes and moves.
#pragma once

#include "plan/verdict/fit.h"

namespace plimsoll {

// One operation of the step on the roofline.
struct RoofPoint {
  std::string name, kind;  // "layer1.0.conv1", "convolution"
  double intensity = 0;    // FLOPs for each byte that must be moved
  double rate = 0;         // FLOP/s, as predicted
  Seconds seconds;
};

struct Roof {
  std::string device;
  FlopsPerSecond peak;
  BytesPerSecond bandwidth;
  std::vector<RoofPoint> points;
};

// Of the question's step at `batch` on its device. Absent where the device's peak or bandwidth is not known: this
// machine before it is probed.
std::optional<Roof> roofline(const FitQuestion& question, int64_t batch, const std::string& name);

}  // namespace plimsoll
