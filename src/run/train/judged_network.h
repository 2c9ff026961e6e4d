// A run's network ready to be judged: its weights in an executor, its data as it was prepared for training, the judge.
// What eval, report and sharpness share.
#pragma once

#include "run/train/checkpoint.h"
#include "run/train/evaluate_network.h"
#include "run/train/train_request.h"

namespace plimsoll {

// A run's network and data as it was set up, before weights are put anywhere.
struct OpenedRun {
  const Backend* backend = nullptr;
  EngineOptions engine{1};
  StepOptions step;
  Program forward;
  PreparedData data;
  LoaderOptions loader;
};

// `request`: the run's (request_of_run), with what is wanted otherwise in its place.
Result<OpenedRun> open_run(const TrainRequest& request, const DataLines& say);

struct DataPart {
  std::string name;  // "test"
  DatasetPtr dataset;
};

struct JudgedNetwork {
  PreparedData data;
  std::optional<Judge> judge;
  std::unique_ptr<Executor> inference;
  LoaderOptions loader;

  // `name`: test, validation or train; empty: the first that is there.
  Result<DataPart> part(const std::string& name) const;
};

// `request`: as for open_run.
Result<JudgedNetwork> open_for_judging(const Checkpoint& checkpoint, const TrainRequest& request, const DataLines& say);

}  // namespace plimsoll
