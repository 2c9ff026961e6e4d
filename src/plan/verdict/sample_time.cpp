#include "plan/verdict/sample_time.h"

#include "plan/time/all_reduce.h"
#include "plan/time/step_time.h"
#include "plan/verdict/execution_of.h"
#include "plan/verdict/framework_load.h"

namespace plimsoll {
namespace {

Bytes gradient_bytes(const Program& program) {
  Bytes bytes;
  for (const auto& value : program.values)
    if (value.role == Role::parameter && value.type) bytes += value.type->bytes();
  return bytes;
}

std::optional<Seconds> by_operations(const FitQuestion& question, const Program& program) {
  if (question.format.name != "f32") return std::nullopt;
  Flops flops;
  for (const auto& operation : program.operations) {
    const bool each = operation.phase != Phase::update;
    flops += operation.cost.flops * operation.repeat * (each ? program.micro_batches : 1);
  }
  return Seconds{double(flops.value()) / double(program.batch * program.micro_batches) * 1e-12};
}

}  // namespace

std::optional<Seconds> sample_time(const FitQuestion& question, int64_t batch, int64_t devices) {
  const auto load = FrameworkLoad::make(question);
  if (!load.ok()) return std::nullopt;
  const auto program = load->program_at(batch);
  if (!program.ok()) return std::nullopt;
  const auto samples = double(batch * question.step.micro_batches * devices);
  if (!question.device) return devices == 1 ? by_operations(question, *program) : std::nullopt;
  const auto time = step_time(*program, *question.device, execution_of(question));
  if (!time.ok()) return std::nullopt;
  double seconds = time->total.value;
  if (devices > 1 && question.step.optimizer) {
    const auto link = question.device->device_link ? question.device->device_link : question.device->host_link;
    if (!link) return std::nullopt;
    seconds += all_reduce(gradient_bytes(*program), devices, *link, time->backward).exposed.value;
  }
  return Seconds{seconds / samples};
}

}  // namespace plimsoll
