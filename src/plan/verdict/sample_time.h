// How long a sample takes in a step, for comparing ways to run the same network.
#pragma once

#include "plan/verdict/framework_load.h"

namespace plimsoll {

// Of the question's step at `batch` (of one micro-batch) on its device, or on several of it. Without a device the
// operations stand for time, so only quotients mean something; nullopt where they would mislead.
std::optional<Seconds> sample_time(const FitQuestion& question, int64_t batch, int64_t devices = 1);

// The same of a load that was made of the question, or of one that differs in the number of micro-batches.
std::optional<Seconds> sample_time(const FitQuestion& question, FrameworkLoad& load, int64_t batch,
                                   int64_t devices = 1);

}  // namespace plimsoll
