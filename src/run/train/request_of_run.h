// What a run was started with, from its checkpoint: how eval, predict and export find the same network again.
#pragma once

#include "run/train/checkpoint.h"
#include "run/train/train_request.h"

namespace plimsoll {

// The run's request; pictures are normalised as its training set was.
Result<TrainRequest> request_of_run(const Checkpoint& checkpoint);

// The names of its classes; empty where the run has none.
std::vector<std::string> class_names_of_run(const Checkpoint& checkpoint);

}  // namespace plimsoll
