#include "plan/time/step_time.h"

#include <algorithm>
#include <array>

#include "plan/devices/all_devices.h"
#include "plan/time/compiled_layout.h"
#include "plan/time/cpu_time.h"
#include "plan/time/host_time.h"
#include "plan/time/torch_cpu_time.h"
#include "plan/time/torch_time.h"

namespace plimsoll {
namespace {

// Adds up operations by phase and by what binds them.
class Sum {
 public:
  explicit Sum(size_t operations) { step_.operations.reserve(operations); }

  void add(Phase phase, OperationTime time) {
    phases_[size_t(phase)] += time.seconds.value;
    bounds_[size_t(time.bound)] += time.seconds.value;
    step_.operations.push_back(time);
  }
  void wait(Phase phase, double seconds) { waits_[size_t(phase)] += seconds; }

  StepTime result(double micro_batches) && {
    const auto passes = [&](Phase phase) { return Seconds{phases_[size_t(phase)] * micro_batches}; };
    step_.forward = passes(Phase::forward);
    step_.loss = passes(Phase::loss);
    step_.backward = passes(Phase::backward);
    step_.update = {phases_[size_t(Phase::update)]};
    for (const Phase phase : {Phase::forward, Phase::loss, Phase::backward})
      step_.launch.value += waits_[size_t(phase)] * micro_batches;
    step_.launch.value += waits_[size_t(Phase::update)];
    step_.total = {step_.forward.value + step_.loss.value + step_.backward.value + step_.update.value};
    step_.bound_by = Bound(std::max_element(bounds_.begin(), bounds_.end()) - bounds_.begin());
    return std::move(step_);
  }

 private:
  StepTime step_;
  std::array<double, 4> phases_{}, waits_{};
  std::array<double, 3> bounds_{};
};

StepTime torch_on_cpu(const TimedProgram& program, const Device& device, const Execution& execution) {
  const TorchCpuParameters parameters;
  const TorchCpuTime cpu(device, execution, parameters);
  Sum sum(program.operations.size());
  for (const auto& operation : program.operations) sum.add(operation.phase, cpu(operation, program.trains));
  return std::move(sum).result(program.micro_batches);
}

StepTime on_cpu(const TimedProgram& program, const Device& device, const Execution& execution,
                const TimeParameters& parameters) {
  if (execution.framework == Framework::pytorch) return torch_on_cpu(program, device, execution);
  const CpuTime cpu(device, execution, parameters);
  Sum sum(program.operations.size());
  for (const auto& operation : program.operations) sum.add(operation.phase, cpu(operation));
  return std::move(sum).result(program.micro_batches);
}

// The host starts operations in order and runs ahead; the device takes each when it is started and the one before
// is done.
template <class KernelTime>
StepTime on_gpu(const TimedProgram& program, const Device& device, const Execution& execution,
                const TimeParameters& parameters, double devices, const KernelTime& kernel) {
  const HostTime host(device, execution, parameters, devices);
  Sum sum(program.operations.size());
  const double sums = host.sums(program);
  double started = host.step(program), done = 0;
  for (const auto& operation : program.operations) {
    if (operation.work == Work::nothing) {
      sum.add(operation.phase, {});
      continue;
    }
    OperationTime time = kernel(operation);
    // Torch7 computes the gradient of the samples too, which nobody reads.
    if (execution.framework == Framework::torch7 && operation.work == Work::grad_weights && operation.reads_input)
      time.seconds.value *= 2;
    const double starts = host.operation(operation.phase) + (operation.phase == Phase::backward ? sums : 0);
    started += starts * operation.repeat;
    const double waits = std::max(0.0, started - done);
    if (waits > time.seconds.value) time.bound = Bound::launch;
    done += waits + time.seconds.value;
    time.seconds.value += waits;
    sum.wait(operation.phase, waits);
    sum.add(operation.phase, time);
  }
  return std::move(sum).result(program.micro_batches);
}

StepTime on_gpu(const TimedProgram& program, const Device& device, const Execution& execution,
                const TimeParameters& parameters, double devices) {
  if (!TorchTime::covers(device, execution))
    return on_gpu(program, device, execution, parameters, devices, GpuTime(device, execution, parameters));
  const TorchParameters fitted;
  const TorchTime torch(device, as_run(program, execution), parameters, fitted);
  return on_gpu(program, device, execution, parameters, devices,
                [&](const TimedOperation& operation) { return torch(operation, program.trains); });
}

}  // namespace

Result<StepTime> step_time(const Program& program, const Device& device, const Execution& execution) {
  return step_time(timed(program), device, execution);
}

Result<StepTime> step_time(const TimedProgram& program, const Device& device, const Execution& execution,
                           const TimeParameters& parameters, int64_t devices) {
  if (device.kind == DeviceKind::node || device.kind == DeviceKind::instance) {
    PLIM_ASSIGN(const ComputePart part, compute_part(device));
    // An instance with a share of a CPU has figures of its own.
    if (part.device.name != device.name) return step_time(program, part.device, execution, parameters, devices);
  }
  const auto f32 = device.peak.find(DType::f32);
  if (f32 == device.peak.end() || f32->second.per_second <= 0 || !device.memory_bandwidth)
    return user_error("the device " + device.name + " has no f32 peak or no memory bandwidth, expected both",
                      "add peak.f32 and memory_bandwidth to its file");
  return device.kind == DeviceKind::gpu ? on_gpu(program, device, execution, parameters, double(devices))
                                        : on_cpu(program, device, execution, parameters);
}

}  // namespace plimsoll
