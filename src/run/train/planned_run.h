// A run of train as its request and this machine make it: the network, the data, the engine, the batch, and the memory
// that it takes. The functions are called in their order; each fills what the next ones need.
#pragma once

#include "plan/verdict/network.h"
#include "run/dist/worker.h"
#include "run/train/memory_here.h"
#include "run/train/train_request.h"
#include "run/train/training_plan.h"

namespace plimsoll {

struct PlannedRun {
  TrainRequest* request = nullptr;  // borrowed, as the worker; the network's vocabulary follows the text's
  Worker* worker = nullptr;
  const Backend* backend = nullptr;
  EngineOptions engine{1};
  int loaders = 0;
  StepOptions step;
  MemoryHere memory;  // that this worker may count on
  double load_line = 0;
  Bytes line;
  std::optional<Network> network;
  std::unique_ptr<Weights> weights;  // of a file; nullptr: a network of the zoo
  NumberFormat format;
  PreparedData data;
  int64_t batch = 1;
  TrainerSetup setup;

  int workers() const { return worker->communicator().size(); }
  int64_t step_samples() const { return batch * step.micro_batches * workers(); }

  // The machine's memory is shared among its workers.
  Status read_request(const Result<MemoryHere>& machine_memory);
  Status take_gpu();
  Status open_data(const DataLines& say);
  Status follow_vocabulary(const NetworkInput& input);
  void choose_bucket(std::optional<Bytes> before);
  void choose_devices(ExchangeForm& form);
  Status choose_batch();
  Status check_batch();
  Result<TrainingPlan> plan_at(int64_t samples) const;
  Status stay_under_line(TrainingPlan& plan);

  Result<int64_t> largest_batch(int64_t most) const;  // 0: not even one sample stays under the line
};

}  // namespace plimsoll
