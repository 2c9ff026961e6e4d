// A run that goes on: what it was begun with and where it stands. Rank 0 alone need see its folder.
#pragma once

#include "run/dist/communicator.h"
#include "run/train/checkpoint.h"
#include "run/train/run_directory.h"
#include "run/train/train_request.h"

namespace plimsoll {

struct ResumedRun {
  std::optional<RunDirectory> directory;  // rank 0's, as the checkpoint and the configuration
  std::optional<Checkpoint> checkpoint;   // absent: it was stopped before the first, so it begins again
  Json config;                            // that it was begun with, or last went on with
  TrainingState state;
  std::optional<Bytes> bucket;  // that its gradients travelled in
  std::vector<std::string> notes;
};

// Takes the fields that are not given from the run. With another number of workers each takes another share of the same
// samples a step; an Error where they cannot be shared evenly. Collective.
Result<ResumedRun> resume_run(TrainRequest& request, const std::vector<std::string>& given, Communicator& all);

}  // namespace plimsoll
