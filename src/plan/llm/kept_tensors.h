// KeptTensors: which tensors of a StepTrace stay from the forward pass to the backward pass, with the checkpoints that
// a setup asks for, and which operation's backward pass is the last to read each. Borrows trace and setup.
#pragma once

#include "plan/llm/step_trace.h"

namespace plimsoll {

class KeptTensors {
 public:
  KeptTensors(const StepTrace& trace, const TrainingSetup& setup);

  bool held(int32_t tensor) const { return held_[size_t(tensor)]; }  // by the program, until the step ends
  // The operation whose backward pass reads it last; -1: none does.
  int32_t last_reader(int32_t tensor) const { return last_reader_[size_t(tensor)]; }

  bool checkpointed(int32_t block) const;  // its forward pass is run again
  // Whether it is still there after the last forward operation that reads it, which is `by`.
  bool stays(int32_t tensor, const TraceOperation& by) const;
  // The same while a checkpointed block is run again for its backward pass.
  bool stays_when_redone(int32_t tensor) const;

 private:
  void find_boundaries();

  const StepTrace& trace_;
  const TrainingSetup& setup_;
  std::vector<int32_t> last_reader_;
  std::vector<bool> held_;
  std::vector<bool> boundary_;  // made in one block and read by the forward pass of another
};

}  // namespace plimsoll
