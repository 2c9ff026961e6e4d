// What the page draws of a step, key by key: the timeline's names and kinds, the roofline, the times of layers.
#pragma once

#include "base/rows/reply.h"
#include "plan/ask/fit_reply.h"
#include "plan/verdict/step_operations.h"

namespace plimsoll {

inline constexpr std::string_view kStepSchema = "plimsoll.step/1";

inline std::string_view phase_text(Phase phase) {
  constexpr std::string_view kTexts[] = {"forward", "loss", "backward", "update"};
  return kTexts[size_t(phase)];
}

inline std::string_view schema_name(const StepOperation*) { return "StepOperation"; }

template <class V>
void describe(V& row, const StepOperation* o) {
  row("name", "", [=] { return o->name; });
  row("kind", "of work", [=] { return o->kind; });
  row("phase", "forward, loss, backward or update", [=] { return phase_text(o->phase); });
  row("seconds", "as predicted; absent where the device's speed is not known", [=] { return o->time; });
  row("flops", "", [=] { return o->flops; });
  row("moved_bytes", "read and written", [=] { return o->bytes; });
  row("alive_bytes", "of parameters, gradients, optimizer, activations and input, in this order", [=] {
    std::vector<Bytes> list;
    for (const MemoryPart part : {MemoryPart::parameters, MemoryPart::gradients, MemoryPart::optimizer,
                                  MemoryPart::activations, MemoryPart::input})
      list.push_back(o->memory[part]);
    return list;
  });
  row("tensor", "the largest that it writes", [=] { return o->tensor; });
  row("tensor_bytes", "", [=] { return o->tensor_bytes; });
}

struct StepReply {
  std::string model, device;
  int64_t batch = 0;
  StepOperations step;
};
inline std::string_view schema_name(const StepReply*) { return "Step"; }

template <class V>
void describe(V& row, const StepReply* s) {
  row("model", "the network", [=] { return s->model; });
  row("device", "", [=] { return s->device; });
  row("batch", "samples a step", [=] { return s->batch; });
  row("peak_flops_per_second", "of the device; absent where it is not known", [=] { return s->step.peak; });
  row("bytes_per_second", "of its memory; absent where it is not known", [=] { return s->step.bandwidth; });
  row("operations", "in order", [=] { return s->step.operations; });
}

}  // namespace plimsoll
