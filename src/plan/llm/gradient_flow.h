// GradientFlow: the gradients of activations on their way back through a StepTrace: made by the backward pass of each
// operation, added up where several make one, shared where an operation hands them on, given back by their last reader.
#pragma once

#include <memory>

#include "plan/llm/memory_ledger.h"
#include "plan/llm/step_trace.h"

namespace plimsoll {

class GradientFlow {
 public:
  // Borrows both. `samples`: of a micro-batch on this device.
  GradientFlow(const StepTrace& trace, double samples, MemoryLedger& ledger)
      : trace_(trace), samples_(samples), ledger_(ledger), flowing_(trace.tensors.size()) {}

  void make(const TraceOperation& operation);     // those of what it reads
  void release(const TraceOperation& operation);  // that of what it made
  void end();

 private:
  struct Gradient {
    int32_t block = MemoryLedger::kNone;
    std::shared_ptr<int> users;  // null: there is none
  };

  void release(Gradient& gradient);

  const StepTrace& trace_;
  const double samples_;
  MemoryLedger& ledger_;
  std::vector<Gradient> flowing_;  // by tensor
};

}  // namespace plimsoll
