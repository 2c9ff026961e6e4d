// Several GPUs of one host, driven by one process (PyTorch's DataParallel): each step copies the parameters to every
// device, runs a part of the batch there, and adds up the gradients on the first.
#pragma once

#include "plan/time/step_time.h"

namespace plimsoll {

// The step's time with `devices` of them; `program` is what each of them runs. Without the update.
Result<Seconds> data_parallel_time(const TimedProgram& program, const Device& device, const Execution& execution,
                                   int64_t devices, const TimeParameters& parameters = {});

}  // namespace plimsoll
