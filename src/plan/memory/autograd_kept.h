// autograd_kept: the bytes that PyTorch's autograd keeps between the forward and the backward pass of a network of
// transformers, run as its own code runs it: what each operation saves, each tensor once. Parameters are not among it.
//
// The rules are those of transformers 5 (eager: attention from single operations; flash: fused) and hold for f32 and
// for parameters and activations in one 16-bit format. Norms and softmaxes that compute in f32 keep their copies in
// f32.
#pragma once

#include <vector>

#include "model/ir/program.h"

namespace plimsoll {

enum class AttentionForm { eager, flash };

// One tensor that an operation saves: a value of the Program, or something that it makes for itself.
struct SavedTensor {
  size_t operation = 0;  // the first that saves it
  ValueId value;         // in whose memory it lies; absent: of the operation's own
  Bytes bytes;
  bool of_samples = true;  // grows with the batch
};

struct AutogradRecord {
  std::vector<SavedTensor> saved;
  std::vector<std::vector<ValueId>> reads;  // by operation: the values that its backward pass reads
  std::vector<int32_t> root;                // of each value: the value in whose memory it lies
  std::vector<bool> needs;                  // of each value: a gradient flows to it
};

// `forward`: without a loss. Parameters that rest are buffers there: nothing is saved for them.
AutogradRecord autograd_record(const Program& forward, AttentionForm form);

// `with_loss`: the scores' cross-entropy in f32 is part of it.
Bytes autograd_kept(const Program& forward, AttentionForm form, bool with_loss);

}  // namespace plimsoll
