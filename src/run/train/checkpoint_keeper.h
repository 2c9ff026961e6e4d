// CheckpointKeeper: a run's checkpoints as all its workers see them. Rank 0 writes and reads them, all know what came
// of it and hold the same weights.
#pragma once

#include <chrono>

#include "run/train/checkpoint.h"
#include "run/train/step_log.h"
#include "run/train/trainer.h"

namespace plimsoll {

class CheckpointKeeper {
 public:
  // Borrows all.
  CheckpointKeeper(TrainerSetup& setup, Crew& crew, StepLog& log, TrainingWatcher& watcher)
      : setup_(setup), crew_(crew), log_(log), watcher_(watcher) {}

  // An Error: the workers have drifted apart. A disk that is full is none.
  Status save(CheckpointKind kind, const TrainingState& state);
  // nullopt: there is none.
  Result<std::optional<TrainingState>> load(CheckpointKind kind);

  // Of the last checkpoint that this process saved, and whether the latest try did.
  std::optional<int64_t> saved_step() const { return saved_step_; }
  // Whether that one is of this step, and of this side of the end of an epoch.
  bool has(const TrainingState& state) const { return saved_step_ == state.step && saved_epoch_ == state.epoch; }
  bool saved() const { return saved_; }
  Seconds since() const;  // the latest try

 private:
  Status write(CheckpointKind kind, const TrainingState& state);

  TrainerSetup& setup_;
  Crew& crew_;
  StepLog& log_;
  TrainingWatcher& watcher_;
  std::optional<int64_t> saved_step_;
  int64_t saved_epoch_ = 0;
  bool saved_ = true;
  std::chrono::steady_clock::time_point tried_ = std::chrono::steady_clock::now();
};

}  // namespace plimsoll
