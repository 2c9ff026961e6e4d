// A step in micro-batches trains as one of the whole batch does.
#include <gtest/gtest.h>

#include <cmath>

#include "blobs.h"
#include "model/build/builder.h"
#include "model/ir/bind.h"
#include "run/exec/onednn/onednn_backend.h"
#include "run/measure/run_log.h"
#include "run/train/checkpoint.h"
#include "run/train/trainer.h"
#include "small_step.h"
#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

Program network(int64_t batch, bool norm) {
  Builder b("parts", {1, 6, 6});
  auto x = b.conv("conv", b.input(), 4, {.kernel = {3, 3}});
  if (norm) x = b.batch_norm("bn", x);
  x = b.dropout("dropout", b.flatten("flatten", b.relu("relu", x)), 0.25);
  auto graph = b.finish(b.linear("fc", x, 3));
  EXPECT_TRUE(graph.ok());
  return *bind(*graph, {.batch = batch});
}

class Quiet : public TrainingWatcher {
 public:
  void step_done(const StepSeen& step) override { losses.push_back(step.loss); }
  void epoch_done(const EpochReport&) override {}
  void message(const std::string&) override {}
  std::vector<double> losses;
};

struct Parts {
  int64_t batch = 8, micro_batches = 1;
  const Backend* backend = &reference_backend();
  bool norm = false;
  BatchNormGroups groups = {};
  int64_t poisoned = -1;
  OnNan on_nan = OnNan::stop;
};

// A run of two epochs of 33 samples.
class PartsRun {
 public:
  explicit PartsRun(const Parts& parts, const std::string& folder = "") : parts_(parts) {
    StepOptions options;
    options.optimizer = find_optimizer("momentum").value();
    options.micro_batches = parts.micro_batches;
    options.batch_norm = parts.groups;
    const auto training = make_step(network(parts.batch, parts.norm), options);
    const auto inference = make_step(network(parts.batch, parts.norm), {});
    EXPECT_TRUE(training.ok()) << training.error().line();
    judge_.emplace(*Judge::make(*training, *inference, 3));
    step_ = *make_executor(*parts.backend, *training, 1);
    initialise(*step_, 5);
    setup.step = step_.get();
    setup.inference = [this] {
      return parts_.backend->compile_beside(*make_step(network(parts_.batch, parts_.norm), {}), *step_);
    };
    setup.judge = &*judge_;
    setup.train = std::make_shared<Blobs>(33, Shape{1, 6, 6}, 3, parts.poisoned);
    setup.test = std::make_shared<Blobs>(10);
    setup.loader.batch = parts.batch;
    setup.epochs = 2;
    setup.schedule = {.base = 0.05, .steps = 8};
    setup.seed = 11;
    setup.on_nan = parts.on_nan;
    if (folder.empty()) return;
    directory_.emplace(*RunDirectory::create(folder, "parts"));
    setup.directory = &*directory_;
    setup.config = {{"model", "parts"}};
    EXPECT_TRUE(directory_->write_config(setup.config).ok());
  }

  TrainingOutcome train() {
    const auto outcome = plimsoll::train(setup, watcher);
    EXPECT_TRUE(outcome.ok()) << outcome.error().line();
    return outcome.ok() ? *outcome : TrainingOutcome{};
  }

  // Parameters, states and running statistics.
  std::vector<float> weights() {
    const std::string bytes = stored_bytes(*step_);
    std::vector<float> numbers(bytes.size() / sizeof(float));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
  }

  TrainerSetup setup;
  Quiet watcher;

 private:
  Parts parts_;
  std::optional<RunDirectory> directory_;
  std::optional<Judge> judge_;
  std::unique_ptr<Executor> step_;
};

void expect_same(PartsRun& a, PartsRun& b, double tolerance) {
  const auto one = a.train(), other = b.train();
  EXPECT_EQ(one.state.step, other.state.step);
  EXPECT_EQ(one.state.epochs.at(1).train_accuracy, other.state.epochs.at(1).train_accuracy);
  ASSERT_EQ(a.watcher.losses.size(), b.watcher.losses.size());
  for (size_t i = 0; i < a.watcher.losses.size(); ++i) {
    const double one_loss = a.watcher.losses[i], other_loss = b.watcher.losses[i];
    const bool same =
        std::isfinite(one_loss) ? std::abs(one_loss - other_loss) <= tolerance : !std::isfinite(other_loss);
    EXPECT_TRUE(same) << one_loss << " and " << other_loss << " at step " << i + 1;
  }
  const auto x = a.weights(), y = b.weights();
  ASSERT_EQ(x.size(), y.size());
  for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], tolerance) << "number " << i;
}

TEST(MicroBatches, WeightsAreThoseOfTheWholeBatch) {
  for (const Backend* backend : {&reference_backend(), &onednn_backend()})
    for (const int64_t parts : {2, 4, 8}) {
      PartsRun whole({.backend = backend});
      PartsRun cut({.batch = 8 / parts, .micro_batches = parts, .backend = backend});
      SCOPED_TRACE(std::string(backend->name()) + " " + std::to_string(parts));
      expect_same(whole, cut, 2e-6);
    }
}

// Statistics of each micro-batch by itself, one after another: ghost batch norm, and not the maths of the whole batch.
TEST(MicroBatches, WithBatchNormTheyAreThoseOfGhosts) {
  const Parts cut{.batch = 4, .micro_batches = 2, .norm = true};
  PartsRun ghosts({.norm = true, .groups = {BatchNormOver::ghosts, 4}}), parts(cut);
  expect_same(ghosts, parts, 2e-6);
  PartsRun whole({.norm = true});
  whole.train();
  EXPECT_GT(std::abs(whole.watcher.losses.at(0) - parts.watcher.losses.at(0)), 1e-4);
}

TEST(MicroBatches, GoOnBitByBitInTheMiddleOfAnEpoch) {
  const TemporaryFolder folder;
  const Parts cut{.batch = 4, .micro_batches = 2, .norm = true};
  PartsRun straight(cut), second(cut);
  straight.train();
  {
    PartsRun first(cut, folder.path());
    first.setup.max_steps = 3;
    EXPECT_EQ(first.train().end, TrainingEnd::max_steps);
  }
  const auto checkpoint = read_checkpoint(folder.path(), CheckpointKind::last);
  ASSERT_TRUE(checkpoint.ok() && checkpoint->has_value());
  ASSERT_TRUE(load_tensors(**checkpoint, *second.setup.step).ok());
  second.setup.state = (*checkpoint)->state;
  EXPECT_EQ(second.setup.state.batch, 3);
  second.train();
  EXPECT_EQ(straight.weights(), second.weights());
}

// The sum of a step that is given up is dropped: what follows is as without it.
TEST(MicroBatches, ABadOneLeavesNoTrace) {
  PartsRun whole({.poisoned = 7, .on_nan = OnNan::skip});
  PartsRun cut({.batch = 2, .micro_batches = 4, .poisoned = 7, .on_nan = OnNan::skip});
  expect_same(whole, cut, 2e-6);
  PartsRun stops({.batch = 2, .micro_batches = 4, .poisoned = 7});
  const auto outcome = stops.train();
  EXPECT_EQ(outcome.end, TrainingEnd::not_finite);
  EXPECT_NE(outcome.why.find("first at 'conv'"), std::string::npos) << outcome.why;
}

TEST(MicroBatches, TheNoiseScaleIsMeasuredAndLogged) {
  const TemporaryFolder folder;
  PartsRun cut({.batch = 2, .micro_batches = 4}, folder.path());
  cut.setup.epochs = 5;
  const auto outcome = cut.train();
  ASSERT_TRUE(outcome.noise);
  EXPECT_EQ(outcome.noise->steps, 20);
  EXPECT_GT(outcome.noise->samples, 0);
  const auto log = read_run_log(folder.path() + "/log.jsonl");
  ASSERT_TRUE(log.ok());
  int logged = 0;
  for (const auto& line : *log) logged += line["event"] == "step" && line.contains("noise_scale");
  EXPECT_EQ(logged, 11);  // from the tenth step on
  PartsRun whole({});
  EXPECT_FALSE(whole.train().noise) << "one batch a step says nothing about noise";
}

TEST(MicroBatches, FewerSamplesThanAStepAreRefused) {
  PartsRun cut({.batch = 8, .micro_batches = 5});
  const auto outcome = train(cut.setup, cut.watcher);
  ASSERT_FALSE(outcome.ok());
  EXPECT_NE(outcome.error().line().find("fewer than a step of 5 micro-batches of 8"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
