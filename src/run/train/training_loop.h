// TrainingLoop: what train() (trainer.h) goes through: step after step, then the end of each epoch and of the run. It
// lives for one run; the setup's owner keeps all that it refers to.
//
// trainer.cpp has the steps and their order, epoch_end.cpp what follows the last step of an epoch and of the run.
#pragma once

#include "run/train/buffer_copy.h"
#include "run/train/checkpoint_keeper.h"
#include "run/train/step_inputs.h"
#include "run/train/step_log.h"
#include "run/train/trainer.h"

namespace plimsoll {

class TrainingLoop {
 public:
  TrainingLoop(TrainerSetup& setup, TrainingWatcher& watcher)
      : setup_(setup),
        watcher_(watcher),
        step_(*setup.step),
        crew_(setup.crew, step_),
        state_(setup.state),
        inputs_(step_, *setup.judge, setup.seed),
        log_(setup.directory, [&watcher](const std::string& sentence) { watcher.message(sentence); }),
        checkpoints_(setup, crew_, log_, watcher),
        buffers_(step_.program()) {}

  Result<TrainingOutcome> run();

 private:
  enum class After { next, epoch_over, stop };
  // What a step's passes came to, one for each micro-batch.
  struct Passes {
    StepNews news{};
    double waited = 0;    // seconds, for data
    std::string place{};  // of this worker's first number that is not finite
  };

  Result<After> take_step();
  Result<std::optional<Passes>> compute_passes();
  void stage_next();
  void compute_pass(const Batch& batch, bool last, Passes& all);
  Result<bool> not_finite(const std::string& place);
  void tell(const StepNews& news);
  void name_straggler(const StragglerFound& found, double per_second);
  void measure_gradients(const StepNews& news);
  EpochReport report(bool complete) const;
  Status end_epoch();
  Result<std::optional<Tally>> evaluate(const DatasetPtr& dataset);
  Status validate(EpochReport& report);
  Status judge_epoch(const EpochReport& report);
  void lose_patience();
  Status renew_norms();
  Status finish();
  bool stop_asked();
  bool save_due() const;

  int64_t micro_batches() const { return step_.program().micro_batches; }
  int64_t steps_per_epoch() const { return loader_->batches() / micro_batches(); }
  int64_t steps_left_to() const {
    const int64_t all = setup_.epochs * steps_per_epoch();
    return setup_.max_steps ? std::min(*setup_.max_steps, all) : all;
  }

  TrainerSetup& setup_;
  TrainingWatcher& watcher_;
  Executor& step_;
  Crew crew_;
  GradientNoise noise_;
  bool said_same_data_ = false;
  TrainingState state_;
  StepInputs inputs_;
  StepLog log_;
  CheckpointKeeper checkpoints_;
  BufferCopy buffers_;
  Utilisation utilisation_;
  std::unique_ptr<Loader> loader_;
  TrainingOutcome outcome_;
  bool ended_ = false;
  bool save_asked_ = false;          // by the clock of rank 0
  StopAsked asked_ = StopAsked::no;  // of any worker, after the latest step
  int troubles_ = 0;
  double rate_ = 0;  // of the latest step
  double pace_ = 0;  // seconds a step, lately
  double computed_ = 0;
  double others_ = 0;  // share of the processors, lately
  const ProcessorsTime start_ = processors_time();
  int64_t log_every_ = 1, ratios_every_ = 1;
};

}  // namespace plimsoll
