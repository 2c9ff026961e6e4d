// single_kernels: what exporters write out and PyTorch computes in one kernel becomes one operation again, so that the
// backward pass keeps what autograd keeps: gelu by the error function, silu, mish, layer norms, group norms.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// The number of those that were found.
int64_t single_kernels(Program& forward);

}  // namespace plimsoll
