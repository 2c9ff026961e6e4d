#include "plan/time/host_time.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "plan/time/torch_time.h"

namespace plimsoll {
namespace {

// The measured hosts are desktops of 2018.
double by_age(const Device& device, double a_year, double quickest) {
  int year = 2018;
  const std::string digits = device.released.substr(0, 4);
  if (std::from_chars(digits.data(), digits.data() + digits.size(), year).ec != std::errc()) return 1;
  return std::clamp(std::pow(a_year, year - 2018), quickest, 1.0);
}

// A GPU whose host is not known is taken to have one of its own age.
double host_of_its_age(const Device& device, const Execution& execution) {
  if (!TorchTime::covers(device, execution)) return by_age(device, 0.87, 0.4);
  // Of torchvision_batch12 (V100, T4, A100, 3090, 7900 XTX): 7 % faster a year, and in the median 1.15 times as slow as
  // a desktop; single hosts 0.8 to 1.6 times.
  return 1.15 * by_age(device, 0.93, 0.6);
}

constexpr double kMeasuredClock = 3.9e9;  // a single core of a desktop of 2018 under load

}  // namespace

// Half of what a year brings is the clock, which is known; the other half is taken from the age.
double host_factor(const Device& cpu) {
  const auto clock = cpu.boost_clock ? cpu.boost_clock : cpu.base_clock;
  const double by_clock = clock ? kMeasuredClock / clock->per_second : 1;
  return by_clock * std::sqrt(by_age(cpu, 0.87, 0.4));
}

HostTime::HostTime(const Device& device, const Execution& execution, const TimeParameters& parameters, double devices) {
  if (execution.framework == Framework::torch7) {
    forward_ = parameters.torch7_forward;
    backward_ = parameters.torch7_backward;
    return;
  }
  // A graph that is compiled before it runs (TensorFlow, ours, torch.compile) needs no interpreter for each operation.
  const double compiled = execution.framework == Framework::pytorch && !execution.compiled ? 1 : 0.5;
  const double host = execution.host_factor > 0 ? execution.host_factor : host_of_its_age(device, execution);
  const double factor = host * compiled;
  forward_ = parameters.pytorch_forward * factor * (1 + parameters.parallel_forward * (devices - 1));
  backward_ = parameters.pytorch_backward * factor * (1 + parameters.parallel_backward * (devices - 1));
  gradient_ = parameters.pytorch_gradient * factor;
  if (TorchTime::covers(device, execution)) {
    // Since 2.0 gradients are dropped at the start of a step. Before, they are set to 0 there and added to when they
    // are made, while the device computes: half of the time each.
    constexpr double kDropped = 0.05;
    constexpr TorchVersion kDrops{2, 0};
    if (execution.torch >= kDrops) gradient_ *= kDropped;
    else gradient_ /= 2, sum_ = gradient_;
  }
  step_ = parameters.pytorch_step * factor;
}

double HostTime::step(const TimedProgram& program) const {
  return step_ + (program.trains ? gradient_ * program.parameter_tensors : 0);
}

double HostTime::sums(const TimedProgram& program) const {
  if (sum_ == 0) return 0;
  double backward = 0;
  for (const auto& operation : program.operations)
    if (operation.phase == Phase::backward && operation.work != Work::nothing) backward += operation.repeat;
  return backward > 0 ? sum_ * program.parameter_tensors / backward : 0;
}

double HostTime::operation(Phase phase) const {
  return phase == Phase::backward || phase == Phase::update ? backward_ : forward_;
}

}  // namespace plimsoll
