#include "plan/time/data_parallel.h"

#include <cmath>

namespace plimsoll {
namespace {

constexpr double kHostLink = 15.75e9;  // PCIe 3.0 x16, where a device's own is not known

// About one for each module that is copied.
double forward_operations(const TimedProgram& program) {
  double count = 0;
  for (const auto& operation : program.operations)
    if (operation.phase == Phase::forward && operation.work != Work::nothing) count += 1;
  return count;
}

}  // namespace

Result<Seconds> data_parallel_time(const TimedProgram& program, const Device& device, const Execution& execution,
                                   int64_t devices, const TimeParameters& parameters) {
  PLIM_ASSIGN(const StepTime one, step_time(program, device, execution, parameters, devices));
  double seconds = one.total.value - one.update.value;
  if (devices <= 1) return Seconds{seconds};
  const double further = double(devices - 1);
  const double link = device.host_link ? device.host_link->per_second : kHostLink;
  const double copy =
      program.parameter_bytes / (link * parameters.parallel_link) * std::pow(parameters.parallel_growth, further - 1);
  seconds += parameters.parallel_step * further + copy;
  seconds += parameters.parallel_replica * forward_operations(program) * std::pow(further, parameters.parallel_crowd);
  if (program.trains) seconds += copy * parameters.parallel_gradients;
  return Seconds{seconds};
}

}  // namespace plimsoll
