// The curves of one run, or of several laid over each other, from their logs: loss and accuracy by epoch, the
// learning rate, speed, and use of the machine over time.
#pragma once

#include "base/rows/json.h"
#include "base/units.h"
#include "tell/report/plot.h"

namespace plimsoll {

struct LoggedRun {
  std::string name;
  std::vector<Json> log;           // newest run of each step
  Bytes planned;                   // memory; 0 when it is not known
  std::string samples = "images";  // what they are called
};

// Loss and accuracy.
std::vector<Plot> epoch_plots(const std::vector<LoggedRun>& runs);

// These, and all else that a log tells.
std::vector<Plot> run_plots(const std::vector<LoggedRun>& runs);

}  // namespace plimsoll
