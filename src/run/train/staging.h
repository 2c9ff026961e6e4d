// Staging: where a tensor waits on its way between a file and an executor: the executor's scratch memory, and memory of
// its own only for a tensor that is larger (in an inference, whose arena may be small).
#pragma once

#include <vector>

#include "run/exec/executor.h"

namespace plimsoll {

class Staging {
 public:
  explicit Staging(Executor& executor) : scratch_(executor.scratch()) {}

  // Good until the next call.
  std::span<std::byte> take(Bytes size) {
    const auto count = size_t(size.value());
    if (count <= scratch_.size()) return scratch_.first(count);
    own_.resize(count);
    return own_;
  }

 private:
  std::span<std::byte> scratch_;
  std::vector<std::byte> own_;
};

}  // namespace plimsoll
