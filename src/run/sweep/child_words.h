// The command line of a training that is run as a program of its own, from the rows of its request.
#pragma once

#include "run/train/train_request.h"

namespace plimsoll {

// train MODEL --run-dir=... --json, and each field that differs from its default.
std::vector<std::string> words_of_training(TrainRequest request);

// train --resume --run-dir=... --json, and what differs of the fields that a resumed run may change.
std::vector<std::string> words_of_resuming(TrainRequest request);

}  // namespace plimsoll
