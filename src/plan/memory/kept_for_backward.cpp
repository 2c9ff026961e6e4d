#include "plan/memory/kept_for_backward.h"

namespace plimsoll {

Bytes kept_for_backward(const Program& step, const FrameworkProfile& profile) {
  std::vector<bool> forward(step.values.size()), seen(step.values.size());
  for (const auto& operation : step.operations)
    for (const ValueId id : operation.outputs)
      if (id.present()) forward[size_t(id.index)] = operation.phase == Phase::forward;
  Bytes bytes;
  for (const auto& operation : step.operations) {
    if (operation.phase != Phase::backward && operation.phase != Phase::loss) continue;
    for (ValueId id : operation.inputs) {
      if (!id.present() || !step.value(id).type) continue;
      if (!forward[size_t(id.index)] && step.value(id).role != Role::input) continue;
      while (step.value(id).storage.present() && step.value(id).storage.index != id.index) id = step.value(id).storage;
      if (seen[size_t(id.index)]) continue;
      seen[size_t(id.index)] = true;
      if (step.value(id).role == Role::parameter || step.value(id).role == Role::buffer) continue;  // a view of one
      bytes += profile.storage(step, id);
    }
  }
  return bytes;
}

}  // namespace plimsoll
