// What a framework on the host takes to start an operation on a GPU.
#pragma once

#include "plan/devices/device.h"
#include "plan/time/execution.h"
#include "plan/time/time_parameters.h"
#include "plan/time/timed_program.h"

namespace plimsoll {

// What a CPU takes to start an operation, against the hosts of 2018 that were measured: one thread does it, so its
// clock and its age decide.
double host_factor(const Device& cpu);

class HostTime {
 public:
  // `devices`: driven by one process, whose threads stand in each other's way.
  HostTime(const Device& device, const Execution& execution, const TimeParameters& parameters, double devices = 1);

  double step(const TimedProgram& program) const;  // before the first operation
  double operation(Phase phase) const;
  double sums(const TimedProgram& program) const;  // besides, for each backward operation: gradients are added up

 private:
  double forward_ = 0, backward_ = 0, gradient_ = 0, sum_ = 0, step_ = 0;
};

}  // namespace plimsoll
