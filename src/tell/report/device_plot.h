// Devices by the time and the money of a job: those that nobody beats in both, the one that was asked for, the
// verdict's.
#pragma once

#include <optional>

#include "tell/report/plot.h"

namespace plimsoll {

struct PlacedDevice {
  std::string name;
  double seconds = 0;
  std::optional<double> dollars;
  bool fits = false;
};

struct DevicePlotLabels {
  std::string title, time, money;
};

// Of those that fit and have a price; empty when they are fewer than two.
Plot device_plot(const std::vector<PlacedDevice>& devices, const std::string& asked, const std::string& verdict,
                 const DevicePlotLabels& labels);

}  // namespace plimsoll
