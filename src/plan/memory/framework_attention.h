// fuse_attention: the scores of an attention, their softmax and the sum of values become one operation, as PyTorch's
// scaled_dot_product_attention computes them since 2.0: no score is ever written to memory, and the backward pass
// computes them again from queries and keys.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// Attentions whose mask is learned are left as they are. The number of those that were fused.
int64_t fuse_attention(Program& forward);

// Queries (… × rows × width), keys (… × width × columns), values (… × columns × width) and maybe a mask. A second
// output has a number for each row, which the backward pass reads. Weighed and timed, never run by us.
const Op& fused_attention_op();
const Op& fused_attention_grad_op();

}  // namespace plimsoll
