// fuse_attention: the scores of an attention, their softmax and the sum of values become one operation, as PyTorch's
// scaled_dot_product_attention computes them since 2.0: no score is ever written to memory, and the backward pass
// computes them again from queries and keys.
#pragma once

#include "model/ir/program.h"
#include "plan/memory/attention_kernel.h"

namespace plimsoll {

// As it is: fused where the network asks for the kernel, and not where a file writes the operations out or where the
// mask is learned. The number of those that were fused.
int64_t fuse_attention(Program& forward, AttentionKernel kernel = AttentionKernel::as_it_is);

// Queries (… × rows × width), keys (… × width × columns), values (… × columns × width) and maybe a mask. A second
// output has a number for each row, which the backward pass reads. Weighed and timed, never run by us.
const Op& fused_attention_op();
const Op& fused_attention_grad_op();

}  // namespace plimsoll
