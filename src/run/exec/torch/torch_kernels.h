// The kernel of libtorch that there is for each operation.
#pragma once

#include "run/exec/torch/torch_site.h"

namespace plimsoll {

// nullptr: none; the operation runs by its reference maths.
using MakeTorchKernel = TorchKernel (*)(TorchSite&);
MakeTorchKernel torch_kernel_of(const Op& op);

}  // namespace plimsoll
