// How fast memory is handed out: written once right after the system has mapped it. Each page is cleared and entered
// into a table at its first touch, which takes longer than any later pass over it, and far longer in a virtual machine.
// Programs that give large blocks back after each use pay this again and again.
#pragma once

#include "run/measure/team.h"

namespace plimsoll {

// Bytes a second of all members together. The system hands out pages of its usual size.
Result<BytesPerSecond> measure_fresh_memory(int threads, const Effort& effort);

}  // namespace plimsoll
