// The step of a question, operation by operation: what each is for, how long it is predicted to take, what it computes
// and moves, and which tensors are in memory during it.
#pragma once

#include "plan/verdict/fit.h"

namespace plimsoll {

struct StepOperation {
  std::string name;              // "layer1.0.conv1.backward"
  std::string kind;              // of work: "convolution"
  Phase phase = Phase::forward;  // of the step
  std::optional<Seconds> time;   // as predicted; absent where the device's speed is not known
  double flops = 0, bytes = 0;   // computed and moved, all rounds of a loop together
  MemoryBreakdown memory;        // tensors that are alive during it, by what they are
  std::string tensor;            // the largest that it writes; "": none
  Bytes tensor_bytes;
};

struct StepOperations {
  std::optional<FlopsPerSecond> peak;  // of the device in the step's number format
  std::optional<BytesPerSecond> bandwidth;
  std::vector<StepOperation> operations;  // in order
};

Result<StepOperations> step_operations(const FitQuestion& question, int64_t batch);

}  // namespace plimsoll
