// The flags of train, as they are typed and as numbers. A run keeps them as typed in its configuration, so that
// --resume can do without them and eval, predict and export find the same network again.
#pragma once

#include "model/passes/pipeline.h"
#include "run/exec/backend.h"
#include "run/train/trainer.h"
#include "tell/cli/data_flags.h"
#include "tell/cli/engine_flags.h"
#include "tell/cli/model_flags.h"
#include "tell/report/json.h"

namespace plimsoll {

inline constexpr int64_t kDefaultTrainBatch = 32;

struct TrainFlags {
  std::string model;
  ModelFlags network;
  DataFlags data;
  EngineFlags engine;
  std::string epochs, optimizer, loss, lr, schedule, warmup, weight_decay, momentum, label_smoothing, seed, early_stop,
      monitor, on_nan, backend, run_dir, max_steps, load_line, memory, np, hosts, max_restarts, silence, batchnorm,
      scale_lr, warmup_from, renew_norms, wire, micro_batches, save_every;
  bool same_batches = false, save_best = false, resume = false, json = false, quiet = false;

  void declare(CLI::App& app);

  // Each flag that belongs to the run under its name, as typed; those not given are absent.
  Json typed() const;
  // Takes what is not given from a run's configuration. What is given must be the same, unless it may change: epochs,
  // steps, threads, loaders, memory, how often it is saved.
  Status take_over(const Json& typed);

  bool auto_batch() const { return network.batch == "auto"; }
  Result<int64_t> read_batch() const;  // kDefaultTrainBatch without the flag
  Result<int64_t> read_epochs() const;
  Result<uint64_t> read_seed() const;
  Result<const Backend*> read_backend() const;
  Result<StepOptions> read_step() const;
  Result<BatchNormGroups> read_batch_norm(int64_t workers) const;
  Result<Schedule> read_schedule(int64_t steps_per_epoch, int64_t workers) const;
  Result<double> read_load_line() const;
  Result<std::optional<int>> read_np() const;  // nullopt: not given
  Result<int> read_max_restarts() const;
  Result<DType> read_wire() const;
  Result<Seconds> read_silence() const;
  // The numbers that the trainer takes as they are; the rest of the setup is filled by others.
  Status read_trainer(TrainerSetup& setup) const;

 private:
  Status read_save_every(TrainerSetup& setup) const;
};

}  // namespace plimsoll
