// The backend on the user's libtorch: GPUs, and the same path on the processor (torch:cpu).
#pragma once

#include "run/exec/backend.h"

namespace plimsoll {

const Backend& torch_backend();

}  // namespace plimsoll
