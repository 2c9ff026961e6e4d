#include "plan/verdict/roofline.h"

#include <algorithm>

#include "plan/time/step_time.h"
#include "plan/time/timed_program.h"
#include "plan/verdict/execution_of.h"
#include "plan/verdict/framework_load.h"

namespace plimsoll {

std::optional<Roof> roofline(const FitQuestion& question, int64_t batch, const std::string& name) {
  if (!question.device || !question.device->memory_bandwidth) return std::nullopt;
  const auto peak = question.device->product_peak(DType::f32);
  auto load = FrameworkLoad::make(question);
  if (!peak || !load.ok()) return std::nullopt;
  const auto program = load->program_at(batch);
  if (!program.ok()) return std::nullopt;
  const auto time = step_time(*program, *question.device, execution_of(question));
  if (!time.ok()) return std::nullopt;
  Roof roof{name, *peak, *question.device->memory_bandwidth, {}};
  const TimedProgram demands = timed(*program);
  for (size_t i = 0; i < demands.operations.size(); ++i) {
    const TimedOperation& operation = demands.operations[i];
    const double seconds = time->operations[i].seconds.value, flops = operation.flops * operation.repeat;
    if (operation.bytes <= 0 || flops <= 0 || seconds <= 0) continue;
    std::string kind(name_of(operation.work));
    std::replace(kind.begin(), kind.end(), '_', ' ');
    roof.points.push_back({program->operations[i].name, std::move(kind), operation.flops / operation.bytes,
                           flops / seconds, Seconds{seconds}});
  }
  return roof;
}

}  // namespace plimsoll
