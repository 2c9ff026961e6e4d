// What a planned step keeps between its forward and its backward pass, in PyTorch's way of storing it.
#pragma once

#include <set>

#include "model/ir/program.h"
#include "plan/memory/framework_profile.h"

namespace plimsoll {

// Values of the forward pass that the loss or the backward pass reads, each memory once.
inline double kept_bytes(const Program& step, bool mixed) {
  std::vector<Phase> born(step.values.size(), Phase::forward);
  std::vector<bool> computed(step.values.size());
  for (const auto& operation : step.operations)
    for (const ValueId id : operation.outputs)
      if (id.present()) born[size_t(id.index)] = operation.phase, computed[size_t(id.index)] = true;
  const FrameworkProfile profile(Framework::pytorch, nullptr, mixed);
  std::set<int32_t> seen;
  double bytes = 0;
  for (const auto& operation : step.operations) {
    if (operation.phase != Phase::backward && operation.phase != Phase::loss) continue;
    for (ValueId id : operation.inputs) {
      if (!id.present() || !step.value(id).type || born[size_t(id.index)] != Phase::forward) continue;
      if (!computed[size_t(id.index)] && step.value(id).role != Role::input) continue;
      while (step.value(id).storage.present() && step.value(id).storage.index != id.index) id = step.value(id).storage;
      if (seen.insert(id.index).second) bytes += double(profile.storage(step, id).value());
    }
  }
  return bytes;
}

}  // namespace plimsoll
