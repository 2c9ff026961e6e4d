// StepTrace: what PyTorch allocates and gives back during a training step of a TokenForm, operation by operation: the
// tensors that a forward operation makes, those that stay for its backward pass, the gradients that it makes there, and
// scratch memory in both directions. Sizes are of one sample; step_memory.h replays it for a batch and a device.
#pragma once

#include "plan/llm/token_form.h"

namespace plimsoll {

struct TraceTensor {
  double bytes = 0;
  bool of_samples = true;  // grows with the batch
  bool logits = false;
  bool product = false;  // written by a matrix product or an attention: selective checkpointing keeps it

  double bytes_of(double samples) const { return of_samples ? bytes * samples : bytes; }
};

struct TraceOperation {
  int32_t block = -1;
  std::string name;
  std::vector<int32_t> makes;  // tensors
  std::vector<int32_t> reads;  // tensors that its backward pass reads
  std::vector<int32_t> drops;  // tensors that no later forward operation reads
  std::vector<int32_t> from;   // whose gradients its backward pass reads
  std::vector<int32_t> into;   // whose gradients it makes
  bool backward = false;
  bool hands_on = false;                             // gradients of its inputs are that of its output: a sum
  double forward_scratch = 0, backward_scratch = 0;  // of one sample, each piece of it
  int forward_pieces = 1, backward_pieces = 1;
  double weight_scratch = 0;                              // whatever the batch: 4-bit weights written out
  bool logits = false;                                    // its scratch memory is of the vocabulary's scores
  std::vector<std::pair<double, bool>> weight_gradients;  // bytes, and whether of experts
};

struct StepTrace {
  std::vector<TraceTensor> tensors;
  std::vector<TraceOperation> operations;
  std::vector<int32_t> held;  // tensors that the program holds until the end of the step: the scores
  int32_t blocks = 0;
};

StepTrace step_trace(const TokenForm& form, const TrainingSetup& setup);

// What stays from the forward to the backward pass, nothing recomputed: each tensor once.
Bytes kept_for_backward(const StepTrace& trace, int64_t batch);

}  // namespace plimsoll
