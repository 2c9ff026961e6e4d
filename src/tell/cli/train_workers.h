// train on many workers: the process that is typed starts them, watches over them and trains nothing itself.
#pragma once

#include "run/train/train_request.h"

namespace plimsoll {

// nullopt: this process trains by itself, alone or as one of several that mpirun has started.
Result<std::optional<int>> start_workers(const TrainRequest& request);

// How many workers "a:4,b:4" has room for.
Result<int> room_on(const std::string& hosts);

}  // namespace plimsoll
