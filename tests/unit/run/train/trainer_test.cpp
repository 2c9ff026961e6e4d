#include "run/train/trainer.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

#include "blobs.h"
#include "model/build/builder.h"
#include "model/ir/bind.h"
#include "run/measure/run_log.h"
#include "run/train/checkpoint.h"
#include "run/train/interruption.h"
#include "small_step.h"
#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

// With everything that a step changes beside parameters: running statistics and random numbers.
Program forward(int64_t batch) {
  Builder b("small", {1, 6, 6});
  auto x = b.conv("conv", b.input(), 4, {.kernel = {3, 3}});
  x = b.relu("relu", b.batch_norm("bn", x));
  x = b.dropout("dropout", b.flatten("flatten", x), 0.25);
  auto graph = b.finish(b.linear("fc", x, 3));
  EXPECT_TRUE(graph.ok());
  BindOptions options;
  options.batch = batch;
  return *bind(*graph, options);
}

class Watcher : public TrainingWatcher {
 public:
  void step_done(const StepSeen& step) override {
    losses.push_back(step.loss);
    if (interrupt_at == step.state->step) std::raise(interrupt_by);
  }
  void evaluation_begins() override {
    if (++evaluations == interrupt_evaluation) std::raise(interrupt_by);
  }
  void epoch_done(const EpochReport& epoch) override { epochs.push_back(epoch); }
  void message(const std::string& sentence) override { messages.push_back(sentence); }

  std::vector<double> losses;
  std::vector<EpochReport> epochs;
  std::vector<std::string> messages;
  int64_t interrupt_at = -1;
  int evaluations = 0, interrupt_evaluation = -1;
  int interrupt_by = SIGINT;
};

// A run in a folder, on the reference backend.
class SmallRun {
 public:
  explicit SmallRun(const std::string& folder, bool resume = false, int64_t poisoned = -1)
      : directory_(resume ? RunDirectory::reopen(folder) : RunDirectory::create(folder, "small")) {
    EXPECT_TRUE(directory_.ok()) << directory_.error().line();
    StepOptions options;
    options.optimizer = find_optimizer("adam").value();
    const auto training = make_step(forward(kBatch), options), inference = make_step(forward(kBatch), {});
    judge_.emplace(*Judge::make(*training, *inference, 3));
    step_ = *make_executor(reference_backend(), *training, 1);
    initialise(*step_, 5);
    setup.step = step_.get();
    setup.inference = [this] { return reference_backend().compile_beside(*make_step(forward(kBatch), {}), *step_); };
    setup.judge = &*judge_;
    setup.train = std::make_shared<Blobs>(33, Shape{1, 6, 6}, 3, poisoned);
    setup.validation = setup.test = std::make_shared<Blobs>(10);
    setup.loader.batch = kBatch;
    setup.epochs = 3;
    setup.schedule = {.kind = ScheduleKind::cosine, .base = 0.02, .steps = 12, .warmup = 2};
    setup.seed = 11;
    setup.directory = &*directory_;
    setup.config = {{"model", "small"}};
    EXPECT_TRUE(directory_->write_config(setup.config).ok());
    if (resume) {
      const auto checkpoint = read_checkpoint(folder, CheckpointKind::last);
      EXPECT_TRUE(checkpoint.ok() && checkpoint->has_value());
      EXPECT_TRUE(load_tensors(**checkpoint, *step_).ok());
      setup.state = (*checkpoint)->state;
    }
  }

  TrainingOutcome train() {
    const Interruption interruption;
    auto outcome = plimsoll::train(setup, watcher);
    EXPECT_TRUE(outcome.ok()) << outcome.error().line();
    return outcome.ok() ? *outcome : TrainingOutcome{};
  }
  std::string stored() { return stored_bytes(*step_); }

  static constexpr int64_t kBatch = 8;
  TrainerSetup setup;
  Watcher watcher;

 private:
  Result<RunDirectory> directory_;
  std::optional<Judge> judge_;
  std::unique_ptr<Executor> step_;
};

std::string last_tensors(const std::string& folder) {
  std::ifstream in((*read_checkpoint(folder, CheckpointKind::last))->tensors_path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Trainer, LearnsAndReportsEpochs) {
  const TemporaryFolder folder;
  SmallRun run(folder.path());
  run.setup.epochs = 8;
  run.setup.schedule.steps = 32;
  const auto outcome = run.train();
  EXPECT_EQ(outcome.end, TrainingEnd::finished);
  ASSERT_EQ(outcome.state.epochs.size(), 8u);
  EXPECT_EQ(outcome.state.epochs[0].steps, 4);  // 33 samples: four batches of 8, one sample dropped
  EXPECT_EQ(outcome.state.step, 32);
  EXPECT_LT(outcome.state.epochs[7].train_loss, outcome.state.epochs[0].train_loss);
  ASSERT_TRUE(outcome.test.has_value());
  EXPECT_EQ(outcome.test->samples, 10);  // the padding of the second batch is not counted
  EXPECT_GE(outcome.test->accuracy(), 0.9);
  EXPECT_EQ(*outcome.state.epochs[7].val_accuracy, outcome.test->accuracy());

  const auto log = read_run_log(folder.path() + "/log.jsonl");
  ASSERT_TRUE(log.ok()) << log.error().line();
  EXPECT_EQ((*log)[0]["event"], "start");
  EXPECT_EQ(log->back()["event"], "end");
  EXPECT_EQ(std::count_if(log->begin(), log->end(), [](const auto& line) { return line["event"] == "step"; }), 32);
}

TEST(Trainer, RenewedNormsAreThoseOfTheWeightsThatAreUsed) {
  const TemporaryFolder plain, renewed;
  SmallRun without(plain.path()), with(renewed.path());
  with.setup.renewed_batches = 100;  // more than there are: all of them
  without.train();
  const auto outcome = with.train();
  EXPECT_TRUE(outcome.test.has_value());
  EXPECT_EQ(last_tensors(plain.path()), last_tensors(renewed.path())) << "what a resume goes on from is as it was";
  EXPECT_NE(without.stored(), with.stored());
  const auto used = read_checkpoint(renewed.path());
  ASSERT_TRUE(used.ok());
  EXPECT_EQ(used->kind, CheckpointKind::best);
  EXPECT_FALSE(read_checkpoint(plain.path(), CheckpointKind::best)->has_value());
}

TEST(Trainer, ResumedAtAnyStepItGoesOnBitByBit) {
  const TemporaryFolder whole;
  SmallRun straight(whole.path());
  straight.setup.max_steps = 7;
  EXPECT_EQ(straight.train().end, TrainingEnd::max_steps);
  const std::string expected = last_tensors(whole.path());
  for (const int64_t stop : {1, 3, 4, 6}) {  // in the middle of an epoch, and at its end
    const TemporaryFolder parts;
    {
      SmallRun first(parts.path());
      first.watcher.interrupt_at = stop;
      const auto outcome = first.train();
      EXPECT_EQ(outcome.end, TrainingEnd::interrupted);
      EXPECT_EQ(outcome.state.step, stop);
    }
    SmallRun second(parts.path(), true);
    second.setup.max_steps = 7;
    const auto outcome = second.train();
    EXPECT_EQ(outcome.state.step, 7);
    EXPECT_TRUE(last_tensors(parts.path()) == expected) << "stopped at " << stop;
    ASSERT_EQ(second.watcher.epochs.back().train_loss, straight.watcher.epochs.back().train_loss);
    ASSERT_EQ(outcome.state.epochs.size(), 2u);
    EXPECT_EQ(outcome.state.epochs[0].learning_rate, straight.watcher.epochs[0].learning_rate) << "stopped at " << stop;
  }
}

TEST(Trainer, SavedAtItsLastStepItIsSavedAgainBehindTheEpoch) {
  const TemporaryFolder folder;
  SmallRun run(folder.path());
  run.setup.save_every_steps = 4;  // those of an epoch
  EXPECT_EQ(run.train().end, TrainingEnd::finished);
  const auto log = read_run_log(folder.path() + "/log.jsonl");
  ASSERT_TRUE(log.ok()) << log.error().line();
  EXPECT_GE(std::count_if(log->begin(), log->end(), [](const auto& line) { return line["event"] == "checkpoint"; }), 4);
  const TrainingState state = (*read_checkpoint(folder.path(), CheckpointKind::last))->state;
  EXPECT_EQ(state.step, 12);
  EXPECT_EQ(state.epoch, 3);
  EXPECT_EQ(state.epochs.size(), 3u);
}

TEST(Trainer, AnEpochThatIsCutShortIsReported) {
  const TemporaryFolder folder;
  SmallRun run(folder.path());
  run.setup.max_steps = 6;
  const auto outcome = run.train();
  ASSERT_EQ(outcome.state.epochs.size(), 2u);
  EXPECT_TRUE(outcome.state.epochs[0].complete);
  EXPECT_FALSE(outcome.state.epochs[1].complete);
  EXPECT_EQ(outcome.state.epochs[1].steps, 2);
  EXPECT_TRUE(outcome.test.has_value());
}

TEST(Trainer, ToldToStopItSaysSoAndKeepsItsPlace) {
  const TemporaryFolder folder;
  SmallRun run(folder.path());
  run.watcher.interrupt_at = 2;
  run.watcher.interrupt_by = SIGTERM;
  const auto outcome = run.train();
  EXPECT_EQ(outcome.end, TrainingEnd::terminated);
  EXPECT_TRUE(outcome.saved);
  EXPECT_FALSE(outcome.test.has_value());
  EXPECT_EQ((*read_checkpoint(folder.path(), CheckpointKind::last))->state.batch, 2);
}

TEST(Trainer, ToldToStopDuringItsTestItSaysSoAndTestsWhenResumed) {
  const TemporaryFolder folder;
  {
    SmallRun run(folder.path());
    run.watcher.interrupt_evaluation = 4;  // three epochs are validated before
    run.watcher.interrupt_by = SIGTERM;
    const auto outcome = run.train();
    EXPECT_EQ(outcome.end, TrainingEnd::terminated);
    EXPECT_FALSE(outcome.test.has_value());
  }
  SmallRun resumed(folder.path(), true);
  const auto outcome = resumed.train();
  EXPECT_EQ(outcome.end, TrainingEnd::finished);
  EXPECT_TRUE(outcome.test.has_value());
  EXPECT_EQ(outcome.state.step, 12);
}

TEST(Trainer, StoppedBehindAnEarlyStopItTrainsNoFurtherWhenResumed) {
  const auto patient = [](SmallRun& run) {
    run.setup.epochs = 50;
    run.setup.patience = 2;
    run.setup.schedule = {.kind = ScheduleKind::constant, .base = 0.02};
  };
  const TemporaryFolder folder;
  int64_t steps = 0;
  {
    SmallRun run(folder.path());
    patient(run);
    const auto outcome = run.train();
    ASSERT_EQ(outcome.end, TrainingEnd::early_stop);
    steps = outcome.state.step;
  }
  SmallRun resumed(folder.path(), true);
  patient(resumed);
  const auto outcome = resumed.train();
  EXPECT_EQ(outcome.end, TrainingEnd::early_stop);
  EXPECT_EQ(outcome.state.step, steps);
  EXPECT_TRUE(outcome.restored_best);
}

TEST(Trainer, EarlyStopRestoresTheBestWeights) {
  const TemporaryFolder folder;
  SmallRun run(folder.path());
  run.setup.epochs = 50;
  run.setup.patience = 2;
  run.setup.monitor = Monitor::accuracy;
  run.setup.schedule = {.kind = ScheduleKind::constant, .base = 0.02};
  const auto outcome = run.train();
  EXPECT_EQ(outcome.end, TrainingEnd::early_stop);
  EXPECT_EQ(int64_t(outcome.state.epochs.size()), outcome.state.best_epoch + 2);
  EXPECT_TRUE(outcome.restored_best);
  const double best = *outcome.state.epochs[size_t(outcome.state.best_epoch - 1)].val_accuracy;
  EXPECT_EQ(outcome.test->accuracy(), best);  // of the same samples
  for (const auto& epoch : outcome.state.epochs) EXPECT_LE(*epoch.val_accuracy, best);
}

TEST(Trainer, ALossThatIsNotFiniteStopsBeforeTheUpdate) {
  const TemporaryFolder folder;
  SmallRun run(folder.path(), false, 7);
  run.setup.save_best = true;
  const auto outcome = run.train();
  EXPECT_EQ(outcome.end, TrainingEnd::not_finite);
  EXPECT_NE(outcome.why.find("first at 'conv'"), std::string::npos) << outcome.why;
  EXPECT_NE(outcome.why.find("step " + std::to_string(outcome.state.step + 1)), std::string::npos) << outcome.why;
  const auto parameters = read_checkpoint(folder.path(), CheckpointKind::last);
  EXPECT_TRUE(!parameters->has_value() || (*parameters)->state.step < outcome.state.step + 1);
}

TEST(Trainer, SkippingLeavesNoTraceOfTheBadBatch) {
  const TemporaryFolder folder;
  SmallRun run(folder.path(), false, 7);
  run.setup.on_nan = OnNan::skip;
  const auto outcome = run.train();
  EXPECT_EQ(outcome.end, TrainingEnd::finished);
  EXPECT_EQ(outcome.skipped_updates, 3);  // once an epoch, unless the sample is the one that is dropped
  EXPECT_EQ(outcome.state.updates, outcome.state.step - outcome.skipped_updates);
  EXPECT_TRUE(std::isfinite(outcome.test->loss()));
}

TEST(Trainer, ReloadingGoesBackToTheLastCheckpoint) {
  const TemporaryFolder folder;
  SmallRun run(folder.path(), false, 7);
  run.setup.on_nan = OnNan::reload;
  const auto outcome = run.train();
  // Nothing to reload before the first checkpoint; else the parameters of the last epoch's end.
  if (outcome.end == TrainingEnd::finished) {
    EXPECT_LT(outcome.state.updates, outcome.state.step);
  } else {
    EXPECT_EQ(outcome.end, TrainingEnd::not_finite);
    EXPECT_EQ(outcome.state.epoch, 0);
  }
}

TEST(Trainer, FewerSamplesThanABatchAreRefused) {
  const TemporaryFolder folder;
  SmallRun run(folder.path());
  run.setup.train = std::make_shared<Blobs>(7);
  const auto outcome = train(run.setup, run.watcher);
  ASSERT_FALSE(outcome.ok());
  EXPECT_NE(outcome.error().line().find("7"), std::string::npos) << outcome.error().line();
}

}  // namespace
}  // namespace plimsoll
