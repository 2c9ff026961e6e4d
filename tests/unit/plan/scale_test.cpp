// The forecast for many workers: what must hold whatever the figures are, and the large-batch model by hand.
#include "plan/verdict/scale.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/zoo/all_models.h"
#include "plan/time/slowest.h"
#include "plan/verdict/load_line.h"
#include "plan/verdict/scale_forecast.h"
#include "tests/zoo_network.h"

namespace plimsoll {
namespace {

ScaleQuestion scale_question(const Network& network, const std::string& device, const std::string& link) {
  ScaleQuestion question;
  question.job.network = &network;
  question.job.step.optimizer = *find_optimizer("momentum");
  question.job.load_line = kLoadLine;
  question.job.batch = 32;
  question.job.samples = 50'000;
  question.job.epochs = 10;
  question.device = *find_candidate(device);
  question.wiring.between = *find_link(link);
  return question;
}

std::unique_ptr<Scaling> scaling_of(ScaleQuestion question) { return *Scaling::make(std::move(question)); }

TEST(LargeBatch, StepsAndSamplesByHand) {
  // 1,000,000 samples at batch 1,000, critical batch 4,000: at least 800,000 samples and 200 steps.
  const LargeBatch model(4000, 1000, 1e6);
  EXPECT_DOUBLE_EQ(model.least_samples(), 800'000);
  EXPECT_DOUBLE_EQ(model.least_steps(), 200);
  EXPECT_DOUBLE_EQ(model.steps(1000), 1000);
  EXPECT_DOUBLE_EQ(model.samples(1000), 1e6);
  EXPECT_DOUBLE_EQ(model.steps(4000), 2 * model.least_steps());
  EXPECT_DOUBLE_EQ(model.samples(4000), 2 * model.least_samples());
  for (const double batch : {1.0, 100.0, 4000.0, 1e6})
    EXPECT_NEAR(model.steps(batch) * batch / model.samples(batch), 1, 1e-12);
  EXPECT_DOUBLE_EQ(model.best_rate(4000, 1000), 2.5);
  EXPECT_NEAR(model.best_rate(2, 1), 2, 0.001);  // far below: linear
}

TEST(RateScaling, RulesAndWarmUp) {
  EXPECT_EQ(usual_rule("momentum"), RateRule::linear);
  EXPECT_EQ(usual_rule("lars"), RateRule::linear);
  EXPECT_EQ(usual_rule("adam"), RateRule::square_root);
  EXPECT_EQ(usual_rule("lamb"), RateRule::square_root);
  EXPECT_DOUBLE_EQ(rate_factor(RateRule::linear, 4096, 256), 16);
  EXPECT_DOUBLE_EQ(rate_factor(RateRule::square_root, 4096, 256), 4);
  EXPECT_DOUBLE_EQ(rate_factor(RateRule::none, 4096, 256), 1);
  EXPECT_EQ(warm_up_steps(16, 50'000, 500, 10'000), 500);  // five epochs of 100 steps
  EXPECT_EQ(warm_up_steps(16, 50'000, 500, 800), 200);     // at most a quarter of the run
  EXPECT_EQ(warm_up_steps(1, 50'000, 500, 10'000), 0);
}

TEST(Scaling, OneWorkerIsPlacesStep) {
  const Network network = zoo_network("resnet18");
  for (const char* device : {"nvidia-t4", "intel-i5-8250u"}) {
    const auto scaling = scaling_of(scale_question(network, device, "10gbe"));
    Job job = scaling->question().job;
    job.batch = 32;
    const JobPlacement placed = *Placing(job).on(*find_candidate(device));
    const ScaleRun one = *scaling->on(1, std::nullopt);
    EXPECT_EQ(one.step, placed.step) << device;
    EXPECT_DOUBLE_EQ(one.total.value, placed.total.value) << device;
    EXPECT_EQ(one.samples_per_second, placed.samples_per_second) << device;
    EXPECT_EQ(one.efficiency, 1) << device;
    EXPECT_EQ(one.exchange.alone.value, 0) << device;
    EXPECT_EQ(one.cost.has_value(), placed.cost.has_value()) << device;
    if (one.cost) {
      EXPECT_EQ(one.cost->value, placed.cost->value) << device;
    }
  }
}

TEST(Scaling, AWholeNodeIsPlacesNode) {
  const Network network = zoo_network("resnet18");
  ScaleQuestion question = scale_question(network, "nvidia-dgx-1", "ib-edr");
  question.wiring.per_node = 8;
  question.wiring.inside = *link_inside(question.device.part);
  question.rule = exchange_rule(Framework::pytorch);
  const auto scaling = scaling_of(question);
  const JobPlacement placed = *Placing(question.job).on(question.device);
  const ScaleRun eight = *scaling->on(8, std::nullopt);
  EXPECT_EQ(eight.step, placed.step);
  EXPECT_DOUBLE_EQ(eight.cost->value, placed.cost->value);
  // Nodes are paid for as a whole.
  EXPECT_NEAR(scaling->on(9, std::nullopt)->machine_seconds / scaling->on(9, std::nullopt)->total.value, 2, 1e-12);
}

TEST(Scaling, EfficiencyNeverAboveOneAndExposedNeverAboveAll) {
  const Network network = zoo_network("vgg11");
  for (const char* link : {"1gbe", "10gbe", "100gbe", "ib-ndr", "nvlink4"}) {
    const auto scaling = scaling_of(scale_question(network, "nvidia-t4", link));
    for (int64_t workers = 1; workers <= 4096; workers *= 4) {
      const ScaleRun run = *scaling->on(workers, std::nullopt);
      EXPECT_LE(run.efficiency, 1 + 1e-12) << link << " " << workers;
      EXPECT_LE(run.exchange.exposed.value, run.exchange.alone.value * (1 + 1e-12)) << link << " " << workers;
      EXPECT_NEAR(run.step.value, run.compute.value + run.exchange.exposed.value + run.waiting.value, 1e-12);
    }
  }
}

TEST(Scaling, AFasterLinkIsNeverSlower) {
  const Network network = zoo_network("vgg11");
  for (const int64_t workers : {2, 8, 64, 1000}) {
    double before = 1e300;
    for (const char* link : {"1gbe", "10gbe", "25gbe", "40gbe", "100gbe", "ib-hdr", "ib-ndr", "nvlink4"}) {
      const double step = scaling_of(scale_question(network, "nvidia-t4", link))->on(workers, std::nullopt)->step.value;
      EXPECT_LE(step, before) << link << " " << workers;
      before = step;
    }
  }
}

TEST(Scaling, AGlobalBatchIsShared) {
  const Network network = zoo_network("resnet18");
  ScaleQuestion question = scale_question(network, "nvidia-t4", "100gbe");
  question.job.batch = std::nullopt;
  question.global_batch = 128;
  const auto scaling = scaling_of(question);
  double before = 1e300;
  for (const int64_t workers : {1, 2, 4, 8}) {
    const ScaleRun run = *scaling->on(workers, std::nullopt);
    EXPECT_EQ(run.batch, 128 / workers);
    EXPECT_EQ(run.global_batch, 128);
    EXPECT_EQ(run.steps, 10 * 391);
    EXPECT_LT(run.step.value, before);
    before = run.step.value;
  }
  EXPECT_EQ(scaling->on(3, std::nullopt)->batch, 43);  // the worker with most sets the pace
  EXPECT_FALSE(scaling->on(129, std::nullopt).ok());
}

TEST(Scaling, WorkersOfANodeShareItsCores) {
  const Network network = zoo_network("resnet18");
  ScaleQuestion question = scale_question(network, "nvidia-t4", "100gbe");
  question.job.loading.disk = disk_of_rate("made up", {1e9});
  question.job.loading.decode_per_core = SamplesPerSecond{100};
  question.job.loading.host_cores = 8;
  question.job.loading.loaders = 8;
  const ScaleRun apart = *scaling_of(question)->on(4, std::nullopt);
  question.wiring.per_node = 4;
  question.wiring.inside = *find_link("pcie3");
  const ScaleRun together = *scaling_of(question)->on(4, std::nullopt);
  EXPECT_EQ(apart.waiting.value, 0);
  EXPECT_GT(together.waiting.value, 0);
  EXPECT_NEAR(together.samples_per_second, 800, 1e-6);
  EXPECT_EQ(together.bound_by, "decode");
}

TEST(Scaling, ASharedDiskServesAllNodes) {
  const Network network = zoo_network("resnet18");
  ScaleQuestion question = scale_question(network, "nvidia-t4", "100gbe");
  question.job.loading.sample = Bytes(100'000);
  question.job.loading.disk = disk_of_rate("made up", {100e6});
  question.job.loading.host_cores = question.job.loading.loaders = 8;
  const double each = scaling_of(question)->on(8, std::nullopt)->samples_per_second;
  question.shared_disk = true;
  EXPECT_NEAR(scaling_of(question)->on(8, std::nullopt)->samples_per_second, 1000, 1e-6);
  EXPECT_GT(each, 1000);
}

TEST(Scaling, MicroBatchesCountTheirSamples) {
  const Network network = zoo_network("resnet18");
  ScaleQuestion question = scale_question(network, "nvidia-t4", "10gbe");
  const ScaleRun whole = *scaling_of(question)->on(4, std::nullopt);
  question.job.step.micro_batches = 4;
  const ScaleRun parts = *scaling_of(question)->on(4, std::nullopt);
  EXPECT_EQ(parts.global_batch, 4 * whole.global_batch);
  // Gradients travel once for four passes.
  EXPECT_GT(parts.efficiency, whole.efficiency);
  EXPECT_EQ(parts.exchange.bytes, whole.exchange.bytes);
}

// Expected largest of n normal numbers, from tables: 0.564 of two, 1.424 of eight, 2.508 of a hundred, 3.241 of 1,000.
TEST(Slowest, IsWhatTablesHave) {
  EXPECT_EQ(slowest_of(1), 0);
  EXPECT_NEAR(slowest_of(2), 0.564, 0.03);
  EXPECT_NEAR(slowest_of(8), 1.424, 0.03);
  EXPECT_NEAR(slowest_of(100), 2.508, 0.03);
  EXPECT_NEAR(slowest_of(1000), 3.241, 0.03);
}

TEST(Scaling, AllWaitForTheSlowest) {
  const Network network = zoo_network("resnet18");
  ScaleQuestion question = scale_question(network, "nvidia-t4", "nvlink4");
  const ScaleRun even = *scaling_of(question)->on(1000, std::nullopt);
  question.jitter = 0.05;
  const auto scaling = scaling_of(question);
  EXPECT_EQ(scaling->on(1, std::nullopt)->straggling.value, 0);
  const ScaleRun uneven = *scaling->on(1000, std::nullopt);
  EXPECT_NEAR(uneven.step.value - even.step.value, 0.05 * slowest_of(1000) * even.compute.value, 1e-9);
  EXPECT_LT(uneven.efficiency, even.efficiency);
}

// Over a link that costs nothing, with steps that grow with the batch, the knee is where the model has it: at the
// critical batch.
TEST(Scaling, TheKneeIsAtTheCriticalBatch) {
  const Network network = zoo_network("resnet18");
  ScaleQuestion question = scale_question(network, "nvidia-t4", "nvlink4");
  question.wiring.between = link_of_rate("made up", {1e18}, {0});
  const auto scaling = scaling_of(question);
  for (const double critical : {640.0, 6400.0}) {
    const ScaleRun knee = *scaling->knee(critical, 4096);
    EXPECT_NEAR(double(knee.global_batch), critical, 0.1 * critical);  // flat there
  }
}

TEST(Scaling, ChoosesTheBatchThatIsDoneFirst) {
  const Network network = zoo_network("resnet18");
  ScaleQuestion question = scale_question(network, "nvidia-t4", "10gbe");
  question.job.batch = std::nullopt;
  question.reference_batch = 32;
  const ScaleRun chosen = *scaling_of(question)->on(16, 2000.0);
  for (const int64_t batch : {1, 4, 16, 64, 256}) {
    ScaleQuestion fixed = question;
    fixed.job.batch = batch;
    EXPECT_LE(chosen.total.value, scaling_of(fixed)->on(16, 2000.0)->total.value) << batch;
  }
}

TEST(ScaleForecast, DeadlineAndBudget) {
  const Network network = zoo_network("resnet18");
  ScaleQuestion question = scale_question(network, "aws-g4dn.xlarge", "25gbe");
  question.critical_batch = 2000;
  const std::vector<int64_t> workers = {1, 2, 4, 8, 16};
  const auto scaling = scaling_of(question);
  const ScaleForecast knee = *scale_forecast(*scaling, workers, {});
  ASSERT_TRUE(knee.advice);
  for (const auto& run : knee.runs)
    EXPECT_GE(run.total.value * run.cost->value, knee.advice->run.total.value * knee.advice->run.cost->value - 1e-9);

  ScaleAim aim;
  aim.deadline = Seconds{knee.runs[2].total.value * 1.01};
  const ScaleForecast soon = *scale_forecast(*scaling, workers, aim);
  ASSERT_TRUE(soon.advice);
  EXPECT_LE(soon.advice->run.total, *aim.deadline);
  for (const auto& run : soon.runs)
    if (run.total <= *aim.deadline) {
      EXPECT_GE(run.cost->value, soon.advice->run.cost->value);
    }

  aim = {};
  aim.budget = Dollars{knee.runs[2].cost->value * 1.001};
  const ScaleForecast cheap = *scale_forecast(*scaling, workers, aim);
  ASSERT_TRUE(cheap.advice);
  EXPECT_LE(*cheap.advice->run.cost, *aim.budget);
  for (const auto& run : cheap.runs)
    if (*run.cost <= *aim.budget) {
      EXPECT_GE(run.total, cheap.advice->run.total);
    }

  aim = {};
  aim.deadline = Seconds{1e-3};
  const ScaleForecast never = *scale_forecast(*scaling, workers, aim);
  EXPECT_FALSE(never.advice);
  EXPECT_FALSE(never.aim_met);
}

TEST(ScaleForecast, NothingIsRecommendedWithoutACriticalBatch) {
  const Network network = zoo_network("resnet18");
  const auto scaling = scaling_of(scale_question(network, "nvidia-t4", "10gbe"));
  ScaleAim aim;
  aim.supposed = {256, 65536};
  const ScaleForecast open = *scale_forecast(*scaling, {1, 8}, aim);
  EXPECT_FALSE(open.advice);
  EXPECT_FALSE(open.knee);
  ASSERT_EQ(open.supposed.size(), 2u);
  EXPECT_LE(open.supposed[0].knee.workers, open.supposed[1].knee.workers);
  EXPECT_EQ(open.runs[1].steps, 10 * std::ceil(50'000.0 / 256));
}

// Where all workers share one batch, the steps are known without.
TEST(ScaleForecast, AGlobalBatchNeedsNoCriticalBatch) {
  const Network network = zoo_network("resnet18");
  ScaleQuestion question = scale_question(network, "nvidia-t4", "10gbe");
  question.job.batch = std::nullopt;
  question.global_batch = 256;
  ScaleAim aim;
  aim.supposed = {256};
  const ScaleForecast forecast = *scale_forecast(*scaling_of(question), {1, 2, 4}, aim);
  ASSERT_TRUE(forecast.advice);
  EXPECT_TRUE(forecast.supposed.empty());
  EXPECT_EQ(forecast.advice->rate_factor, 1);
  EXPECT_EQ(forecast.advice->warm_up_steps, 0);
}

}  // namespace
}  // namespace plimsoll
