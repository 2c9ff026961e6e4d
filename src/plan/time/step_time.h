// step_time: how long a Program takes on a device. Per operation max(operations / (peak × share), bytes / (bandwidth ×
// share)) + start (gpu_time.h, cpu_time.h); on a GPU the host starts kernels one by one while the device runs those it
// has, so that whoever is slower sets the pace.
//
// The time does not include loading and moving samples (pipeline.h). docs/accuracy.md has how far off it has been.
#pragma once

#include <vector>

#include "base/result.h"
#include "model/ir/program.h"
#include "plan/time/gpu_time.h"

namespace plimsoll {

struct StepTime {
  Seconds forward, loss, backward;  // of all micro-batches
  Seconds update;
  Seconds launch;  // within these: the device waits for the host
  Seconds total;
  std::vector<OperationTime> operations;  // of one pass, one for each of the Program's
  Bound bound_by = Bound::launch;         // what most of the time goes to
};

// A node or an instance is timed as one of the devices that do its computing.
Result<StepTime> step_time(const Program& program, const Device& device, const Execution& execution);

// The same for a Program whose demands are known already: for one network on many devices. `devices`: so many GPUs are
// driven by the one process (data_parallel.h); the time is of one of them.
Result<StepTime> step_time(const TimedProgram& program, const Device& device, const Execution& execution,
                           const TimeParameters& parameters = {}, int64_t devices = 1);

}  // namespace plimsoll
