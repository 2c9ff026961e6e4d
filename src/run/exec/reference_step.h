// ReferenceStep: one operation of a Program by its reference maths, in planned memory with plain layouts.
#pragma once

#include <string>
#include <vector>

#include "run/exec/planned_memory.h"

namespace plimsoll {

class ReferenceStep {
 public:
  // Borrows all three. check_has_reference() has passed.
  ReferenceStep(const Program& program, const Operation& operation, const PlannedMemory& memory);
  // On memory of somebody else's. Borrows the program and the operation.
  ReferenceStep(const Program& program, const Operation& operation, std::vector<TensorView> inputs,
                std::vector<TensorView> outputs);
  void run();

 private:
  bool is_view() const;

  const Operation* operation_;
  OpCall call_;
  std::vector<TensorView> inputs_, outputs_;
};

// An Error names the operation that has none.
Status check_has_reference(const Program& program, const Operation& operation);
// Of an operation that has some and no kernel: whether it computes what is asked here. Before the run, so that no run
// begins that cannot go on.
Status check_reference_runs(const Program& program, const Operation& operation);

void add_once(std::vector<std::string>& names, const std::string& name);

}  // namespace plimsoll
