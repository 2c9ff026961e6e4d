// calibrate_from_runs: the reachable product rate and bandwidth of a device from measured steps of PyTorch on it. Both
// are searched for so that the logarithms of predicted over measured times have the least squares (softened: an odd
// network does not decide), drawn towards the data sheet: with one run, or runs that cannot tell the two apart, both
// move together. tools/calibration_left_out.py tells what that brings on cards that took no part.
#pragma once

#include "plan/devices/calibrate.h"
#include "plan/time/execution.h"
#include "plan/time/timed_program.h"

namespace plimsoll {

// What a device reaches as far as its file tells: measured figures, else what follows from the data sheet.
struct ReachedNumbers {
  DType format = DType::f32;
  FlopsPerSecond gemm;       // of a large product in that format
  BytesPerSecond bandwidth;  // of a copy, bytes read and bytes written together
};

ReachedNumbers reached_on(const Device& device, std::optional<DType> format = std::nullopt);

struct MeasuredRun {
  std::string name;                       // for sentences
  const TimedProgram* program = nullptr;  // the step, as Placing::demands_on gives it
  Execution execution;
  Seconds step;  // measured
};

struct RunCalibration {
  Device device;  // calibrated
  std::vector<Seconds> before,
      after;  // what was predicted for each run, by the data sheet and by the calibrated device
};

// Errors: no run, runs that contradict each other, or runs that no such device can have had.
Result<RunCalibration> calibrate_from_runs(const Device& device, const std::vector<MeasuredRun>& runs,
                                           const std::string& date);

// The median of |predicted / measured - 1|.
double median_error(const std::vector<Seconds>& predicted, const std::vector<MeasuredRun>& runs);

}  // namespace plimsoll
