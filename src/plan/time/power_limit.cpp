#include "plan/time/power_limit.h"

#include <algorithm>

namespace plimsoll {
namespace {

// From a V100 that trained ResNet-50 and BERT at limits of 100 to 250 W (zeus_power); rates of products on A100s of
// 250, 300 and 400 W follow the same curve (gemm_peaks, neusight).
constexpr double kStill = 0.1;    // drawn whatever the clock
constexpr double kFloor = 0.815;  // the lowest voltage
constexpr double kSlope = 1.4;    // of the voltage, near the full clock

}  // namespace

double power_at(double clock) {
  const double voltage = std::max(kFloor, 1 - kSlope * (1 - clock));
  return kStill + (1 - kStill) * clock * voltage * voltage;
}

double clock_under(double power) {
  if (power >= 1) return 1;
  constexpr double kSlowest = 0.05;  // no card is sold that cannot run
  constexpr int kHalvings = 40;
  double low = kSlowest, high = 1;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (power_at(middle) < power ? low : high) = middle;
  }
  return low;
}

}  // namespace plimsoll
