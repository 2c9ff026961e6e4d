// The time of single operations on a CPU, by the same rule as a GPU's (gpu_time.h).
#pragma once

#include "plan/time/gpu_time.h"

namespace plimsoll {

// Borrows all it is given.
class CpuTime {
 public:
  CpuTime(const Device& device, const Execution& execution, const TimeParameters& parameters);

  OperationTime operator()(const TimedOperation& operation) const;

 private:
  double peak(DType dtype) const;
  double share(const TimedOperation& operation) const;
  double rate(const TimedOperation& operation) const;                          // of products, operations a second
  double bandwidth(const TimedOperation& operation) const;                     // bytes a second
  std::optional<double> measured_rate(const TimedOperation& operation) const;  // of convolutions, if it is known

  const Device& device_;
  const Execution& execution_;
  const TimeParameters& p_;
  Software software_;
  double cores_ = 1;  // share of them that is used
  double bandwidth_ = 0;
};

}  // namespace plimsoll
