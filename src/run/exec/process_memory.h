// What a process takes besides its plan: itself, its libraries, compiled kernels, the loader's batches.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

Bytes process_memory(const Program& program);

Bytes resident_in_process();  // now, as the system counts it

}  // namespace plimsoll
