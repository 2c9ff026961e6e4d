// The GPUs of a machine, shared by the workers on it: each takes one of its own.
#pragma once

#include "run/dist/communicator.h"

namespace plimsoll {

// How many GPUs after the first one this worker's is: its number among the workers of its machine that see the same
// GPUs. A launcher may show each worker other ones, and then everyone's is the first. `visible`: what the worker is
// shown, as CUDA_VISIBLE_DEVICES has it. Collective.
int gpu_number(Communicator& communicator, const std::string& visible);
std::string visible_gpus();  // to this process

}  // namespace plimsoll
