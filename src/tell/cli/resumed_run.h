// A run that goes on: what it was begun with and where it stands. Rank 0 alone need see its folder.
#pragma once

#include "run/dist/communicator.h"
#include "run/train/checkpoint.h"
#include "run/train/run_directory.h"
#include "tell/cli/train_flags.h"

namespace plimsoll {

struct ResumedRun {
  std::optional<RunDirectory> directory;  // rank 0's, as the checkpoint
  std::optional<Checkpoint> checkpoint;
  TrainingState state;
  std::optional<Bytes> bucket;  // that its gradients travelled in
  std::vector<std::string> notes;
};

// Takes the flags that are not given from the run. With another number of workers each takes another share of the same
// samples a step; an Error where they cannot be shared evenly. Collective.
Result<ResumedRun> resume_run(TrainFlags& flags, Communicator& all);

}  // namespace plimsoll
