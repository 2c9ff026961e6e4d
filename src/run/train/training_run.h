// A training from its request to its end: joins the other workers, opens network and data, plans, and trains on exactly
// that plan. What it has to say goes to whoever asked, through TrainingEvents.
#pragma once

#include "run/train/train_request.h"
#include "run/train/training_outlook.h"

namespace plimsoll {

// How it ended: it did not fit, or it was trained.
struct TrainingEnding {
  TrainingOutlook outlook;
  std::optional<TrainingRefusal> refusal;
  std::optional<TrainingResult> result;
};

struct TrainingEvents {
  std::function<void(const std::string& line)> say;                                 // what cannot wait, on any worker
  std::function<void(const std::string& line)> data_line;                           // downloads, warnings of a set
  std::function<void(const TrainingOutlook&)> planned;                              // before the first step; rank 0
  std::function<std::unique_ptr<TrainingWatcher>(Bytes line, bool texts)> watcher;  // rank 0's
  std::function<Status(const RunDirectory&, const TrainingOutlook&, const TrainingResult&)> report;
  // On every worker, before it leaves the others: says what came of it on the first and gives the exit code.
  std::function<int(const Result<TrainingEnding>&, bool first)> ended;
};

// `given`: the fields that were asked for by name, which a resumed run holds against its own.
Result<int> run_training(const TrainRequest& request, const std::vector<std::string>& given,
                         const TrainingEvents& events);

}  // namespace plimsoll
