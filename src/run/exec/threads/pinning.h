// OMP_PROC_BIND, as OpenMP has it: who has a machine to himself may pin each thread to a processor.
#pragma once

namespace plimsoll {

// Whether the environment asks for it.
bool threads_are_pinned();
// Pins the calling thread to the processor of this number among those that the process may use.
void pin_this_thread(int number);

}  // namespace plimsoll
