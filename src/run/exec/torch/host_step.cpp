#include "run/exec/torch/host_step.h"

#include "run/exec/torch/device_copy.h"

namespace plimsoll {

HostStep::HostStep(const Program& program, const Operation& operation, const PlannedMemory& memory) {
  auto inputs = copies(program, operation.inputs, memory, inputs_);
  auto outputs = copies(program, operation.outputs, memory, outputs_);
  step_.emplace(program, operation, std::move(inputs), std::move(outputs));
}

std::vector<TensorView> HostStep::copies(const Program& program, const std::vector<ValueId>& ids,
                                         const PlannedMemory& memory, std::vector<Copied>& copied) {
  std::vector<TensorView> views;
  copied.reserve(ids.size());
  for (const ValueId id : ids) {
    Copied& one = copied.emplace_back();
    const bool there = id.present() && program.value(id).type;
    if (!there) {
      views.emplace_back();
      continue;
    }
    const TensorType& type = *program.value(id).type;
    one.bytes.resize(size_t(type.elements().value()) * element_size(type.dtype));
    one.there = memory.of(id);
    views.emplace_back(type, one.bytes.data());
  }
  return views;
}

void HostStep::run() {
  for (Copied& input : inputs_)
    if (input.there) copy_to_host(input.bytes, input.there);
  step_->run();
  for (Copied& output : outputs_)
    if (output.there) copy_to_device(output.there, output.bytes);
}

}  // namespace plimsoll
