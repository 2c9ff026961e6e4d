#include "plan/time/data_parallel.h"

#include <cmath>

namespace plimsoll {
namespace {

constexpr double kHostLink = 15.75e9;  // PCIe 3.0 x16, where a device's own is not known

// Host work of a step beside what one device needs.
double host_seconds(const TimedProgram& program, double devices, const TimeParameters& p) {
  double forward = 0, backward = 0;
  for (const auto& operation : program.operations) {
    if (operation.work == Work::nothing) continue;
    if (operation.phase == Phase::forward) forward += 1;
    if (operation.phase == Phase::backward) backward += 1;
  }
  return p.parallel_step +
         forward * (p.parallel_replica + p.parallel_further * std::pow(devices - 2, p.parallel_crowd)) +
         backward * p.parallel_backward * (devices - 1);
}

}  // namespace

Result<Seconds> data_parallel_time(const TimedProgram& program, const Device& device, const Execution& execution,
                                   int64_t devices, const TimeParameters& parameters) {
  PLIM_ASSIGN(const StepTime one, step_time(program, device, execution, parameters));
  double seconds = one.total.value - one.update.value;
  if (devices <= 1) return Seconds{seconds};
  const double link = device.host_link ? device.host_link->per_second : kHostLink;
  const double copy = program.parameter_bytes / (link * parameters.parallel_link) *
                      std::pow(parameters.parallel_growth, double(devices - 2));
  seconds += host_seconds(program, double(devices), parameters) + copy;
  if (program.trains) seconds += copy * parameters.parallel_gradients;
  return Seconds{seconds};
}

}  // namespace plimsoll
