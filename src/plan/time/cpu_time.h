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
  double bandwidth(const TimedOperation& operation) const;  // bytes a second
  double padding(const ConvLayer& layer) const;             // what is computed, for each number that is asked for
  double share_of_measured(const ConvLayer& layer, Work work) const;
  // Of convolutions and products, operations a second; nullopt: not measured.
  std::optional<double> measured_rate(const TimedOperation& operation) const;

  const Device& device_;
  const Execution& execution_;
  const TimeParameters& p_;
  Framework framework_;
  bool measured_ = false;  // our engine, on a machine whose kernels were measured
  double cores_ = 1;       // share of them that is used
  double bandwidth_ = 0;
  int64_t block_ = 8;  // channels that lie together
};

}  // namespace plimsoll
