// Buffers (running statistics) as they were before a step that may have to be taken back.
#pragma once

#include <vector>

#include "run/exec/executor.h"
#include "run/train/checkpoint.h"

namespace plimsoll {

class BufferCopy {
 public:
  explicit BufferCopy(const Program& program) {
    for (const ValueId id : stored_values(program, CheckpointKind::best))
      if (program.value(id).role == Role::buffer)
        copies_.push_back({id, std::vector<std::byte>(size_t(program.value(id).type->bytes().value()))});
  }
  void keep(const Executor& step) {
    for (auto& copy : copies_) step.read(copy.id, copy.bytes);
  }
  void restore(Executor& step) const {
    for (const auto& copy : copies_) step.write(copy.id, copy.bytes);
  }

 private:
  struct Copy {
    ValueId id;
    std::vector<std::byte> bytes;
  };
  std::vector<Copy> copies_;
};

}  // namespace plimsoll
