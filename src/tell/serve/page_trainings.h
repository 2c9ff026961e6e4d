// PageTrainings: trainings that the page starts and resumes, where the server was started so that it may. Networks are
// those of the zoo and data those of training_sets.h, both by name; runs go into the runs folder. One trains at a time,
// whoever started it.
#pragma once

#include "base/rows/json.h"
#include "tell/serve/runs_folder.h"
#include "tell/serve/training_process.h"
#include "tell/serve/training_sets.h"

namespace plimsoll {

class PageTrainings {
 public:
  // Borrows the folder. `sets`: nullopt where the page may start nothing.
  PageTrainings(const RunsFolder& runs, std::optional<std::vector<TrainingSet>> sets)
      : runs_(runs), sets_(std::move(sets)) {}

  const std::optional<std::vector<TrainingSet>>& sets() const { return sets_; }

  // {"model": "resnet18", "data": "cifar10", "batch": 32, …}: rows of a training that start_rows() names. The name of
  // the run.
  Result<std::string> start(const Json& request);

  Result<std::string> resume(const std::string& id);

  std::optional<TrainingProcess::State> state() { return process_.state(); }

 private:
  Status may_start();

  const RunsFolder& runs_;
  const std::optional<std::vector<TrainingSet>> sets_;
  std::mutex mutex_;  // of a start: nothing else begins meanwhile
  TrainingProcess process_;
};

}  // namespace plimsoll
