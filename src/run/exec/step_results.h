// What a training step leaves for its updates and for the next step: gradients and running statistics, and the
// operation after which each is final. Several workers add them up from there on, while later operations run.
#pragma once

#include <vector>

#include "plan/memory/memory_plan.h"

namespace plimsoll {

struct StepResult {
  ValueId value;
  bool gradient = true;  // else a running statistic
  size_t final_at = 0;   // the last operation of compute() that reads or writes it
};

// Of a lowered Program and its plan, in the order in which they become final.
std::vector<StepResult> step_results(const Program& program, const MemoryPlan& plan);

// Where the updates begin: the number of operations that compute() runs.
size_t first_update(const Program& program);

}  // namespace plimsoll
