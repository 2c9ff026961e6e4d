// autograd_kept: the bytes that PyTorch's autograd keeps between the forward and the backward pass of a network of
// transformers, run as its own code runs it: what each operation saves, each tensor once. Parameters are not among it.
//
// The rules are those of transformers 5 (eager: attention from single operations; flash: fused) and hold for f32 and
// for parameters and activations in one 16-bit format. Norms and softmaxes that compute in f32 keep their copies in
// f32.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

enum class AttentionForm { eager, flash };

// `forward`: without a loss. `with_loss`: the scores' cross-entropy in f32 is part of it.
Bytes autograd_kept(const Program& forward, AttentionForm form, bool with_loss);

}  // namespace plimsoll
