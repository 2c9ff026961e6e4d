#include "plan/verdict/sample_time.h"

#include "plan/time/exchange_time.h"
#include "plan/verdict/execution_of.h"

namespace plimsoll {
namespace {

// Of a training; two or more make the same step.
int64_t parts_of(const FitQuestion& question) { return question.step.optimizer ? question.step.micro_batches : 1; }

std::optional<Seconds> by_operations(const FitQuestion& question, const Program& program) {
  if (question.format.name != "f32") return std::nullopt;
  const int64_t parts = parts_of(question);
  Flops flops;
  for (const auto& operation : program.operations) {
    const bool each = operation.phase != Phase::update;
    flops += operation.cost.flops * operation.repeat * (each ? parts : 1);
  }
  return Seconds{double(flops.value()) / double(program.batch * parts) * 1e-12};
}

}  // namespace

std::optional<Seconds> sample_time(const FitQuestion& question, int64_t batch, int64_t devices) {
  auto load = FrameworkLoad::make(question);
  return load.ok() ? sample_time(question, *load, batch, devices) : std::nullopt;
}

std::optional<Seconds> sample_time(const FitQuestion& question, FrameworkLoad& load, int64_t batch, int64_t devices) {
  const auto program = load.costed_at(batch);
  if (!program.ok()) return std::nullopt;
  const auto samples = double(batch * question.step.micro_batches * devices);
  if (!question.device) return devices == 1 ? by_operations(question, **program) : std::nullopt;
  const Execution execution = execution_of(question);
  TimedProgram demands = timed(**program);
  demands.micro_batches = double(parts_of(question));
  const auto time = step_time(demands, *question.device, execution);
  if (!time.ok()) return std::nullopt;
  double seconds = time->total.value;
  if (devices > 1 && question.step.optimizer) {
    const auto link = link_inside(*question.device);
    if (!link) return std::nullopt;
    const Wiring wiring{devices, *link, *link};
    seconds += exchange_gradients(demands, *time, devices, wiring, exchange_rule(execution.framework)).exposed.value;
  }
  return Seconds{seconds / samples};
}

}  // namespace plimsoll
