#include "plan/llm/step_memory.h"

#include <algorithm>

#include "plan/llm/step_replay.h"
#include "plan/memory/framework_context.h"

namespace plimsoll {
namespace {

constexpr double kProductWorkspace = 8.5 * (1 << 20);
constexpr double kHopperWorkspace = 32.0 * (1 << 20);

std::vector<PipelineStage> stages_of(const StepTrace& trace, const TrainingSetup& setup) {
  const int64_t stages = setup.degrees.pipeline;
  if (stages == 1) return {{-1, trace.blocks, 1}};
  const int32_t each = int32_t((trace.blocks + stages - 1) / stages);
  return {{-1, each - 1, std::min(stages, std::max<int64_t>(setup.micro_batches, 1))},
          {trace.blocks - each, trace.blocks, 1}};
}

}  // namespace

std::string_view name_of(TokenPart part) {
  constexpr std::string_view kNames[] = {"parameters",  "adapters", "gradients",     "optimizer",
                                         "activations", "logits",   "communication", "workspace",
                                         "input",       "slack",    "fixed"};
  return kNames[size_t(part)];
}

Bytes StepMemory::needed() const {
  const Bytes tight(int64_t(double(allocated.value()) * kGapsOfTensors));
  return context + std::min(tight, reserved);
}

double product_workspace(const Device* device) {
  const bool hopper = device && (device->generation == "hopper" || device->generation == "blackwell");
  return hopper ? kHopperWorkspace : kProductWorkspace;
}

StepMemory step_memory(const TokenForm& form, const StepTrace& trace, const TrainingSetup& setup, int64_t batch,
                       const Device* device, std::optional<Bytes> line, std::vector<TokenMoment>* moments) {
  const bool gpu = !device || device->kind == DeviceKind::gpu;
  const Bytes context = gpu ? pytorch_context(device) : Bytes(0);
  std::optional<double> room;
  if (line) room = double(line->value()) - double(context.value());
  StepMemory fullest;
  for (const PipelineStage& stage : stages_of(trace, setup)) {
    std::vector<TokenMoment> recorded;
    StepMemory memory = StepReplay(form, trace, setup, batch, stage, room)
                            .run(product_workspace(device), moments ? &recorded : nullptr);
    memory.last_stage = stage.first >= 0;
    if (memory.allocated <= fullest.allocated) continue;
    fullest = std::move(memory);
    if (moments) *moments = std::move(recorded);
  }
  fullest.context = fullest[TokenPart::fixed] = context;
  if (moments)
    for (auto& moment : *moments)
      for (const TokenPart part : {TokenPart::slack, TokenPart::fixed}) moment.parts[size_t(part)] = fullest[part];
  return fullest;
}

}  // namespace plimsoll
