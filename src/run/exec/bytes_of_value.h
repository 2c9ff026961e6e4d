// A value's bytes where the host can read them: where they lie, or copied from a device.
#pragma once

#include "run/exec/executor.h"

namespace plimsoll {

// `copied` is what holds them in the second case, until the next call with it.
inline std::span<std::byte> bytes_of_value(const Executor& step, ValueId id, std::vector<std::byte>& copied) {
  if (step.on_host()) return step.storage(id);
  copied.resize(size_t(step.program().value(id).type->bytes().value()));
  step.read(id, copied);
  return copied;
}

}  // namespace plimsoll
