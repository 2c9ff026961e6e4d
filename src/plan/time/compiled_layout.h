// How images lie in memory in a network that torch.compile made. It gives convolutions the layout that they like as a
// rule, channels last, and leaves them as they are where it knows that layout to cost more than it brings.
#pragma once

#include "plan/time/execution.h"
#include "plan/time/timed_program.h"

namespace plimsoll {

// Of `program` when it runs under `execution`; the asked one without torch.compile.
ImageLayout layout_that_runs(const TimedProgram& program, const Execution& execution);

// The same execution with that layout.
Execution as_run(const TimedProgram& program, Execution execution);

}  // namespace plimsoll
