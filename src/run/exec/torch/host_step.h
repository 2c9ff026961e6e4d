// HostStep: an operation that libtorch has no kernel for, by its reference maths: its inputs are copied to the host,
// its outputs back.
#pragma once

#include <optional>

#include "run/exec/reference_step.h"

namespace plimsoll {

class HostStep {
 public:
  // Borrows all three; `memory` is the device's.
  HostStep(const Program& program, const Operation& operation, const PlannedMemory& memory);
  void run();

 private:
  struct Copied {
    std::vector<std::byte> bytes;
    std::byte* there = nullptr;
  };
  std::vector<TensorView> copies(const Program& program, const std::vector<ValueId>& ids, const PlannedMemory& memory,
                                 std::vector<Copied>& copied);

  std::vector<Copied> inputs_, outputs_;
  std::optional<ReferenceStep> step_;
};

}  // namespace plimsoll
