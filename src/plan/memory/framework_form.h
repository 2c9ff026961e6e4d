// FrameworkForm: what another framework makes of a network's forward pass before anything is derived from it.
#pragma once

#include <optional>

#include "base/dtype.h"
#include "model/ir/program.h"
#include "plan/memory/attention_kernel.h"

namespace plimsoll {

struct FrameworkForm {
  bool pytorch = false;           // what autograd keeps
  std::optional<DType> autocast;  // PyTorch's mixed precision, in this format of 16 bits
  bool fused_attention = false;   // one kernel for the scores, their softmax and the sum of values; since PyTorch 2.0
  AttentionKernel attention = AttentionKernel::as_it_is;
};

void take_form(Program& forward, const FrameworkForm& form);

}  // namespace plimsoll
