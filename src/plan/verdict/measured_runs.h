// calibrate_from_runs: the reachable product rate and bandwidth of a GPU from measured steps of PyTorch on it. Both are
// searched for so that the predicted times come nearest to the measured ones; with one run only the faster-moving of
// the two is known, so both move together.
#pragma once

#include "plan/devices/calibrate.h"
#include "plan/time/execution.h"
#include "plan/time/timed_program.h"

namespace plimsoll {

struct MeasuredRun {
  const TimedProgram* program = nullptr;  // the step, as Placing::demands_on gives it
  Execution execution;
  Seconds step;  // measured
};

struct RunCalibration {
  Device device;            // calibrated
  double median_error = 0;  // of the same runs, afterwards; of others it may be more
};

Result<RunCalibration> calibrate_from_runs(const Device& device, const std::vector<MeasuredRun>& runs,
                                           const std::string& date);

}  // namespace plimsoll
