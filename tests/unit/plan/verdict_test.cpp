// The parts of fit and place that no golden file pins down: the search for a batch, prices.
#include <gtest/gtest.h>

#include <cmath>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/zoo/all_models.h"
#include "plan/verdict/framework_load.h"
#include "plan/verdict/hourly_price.h"
#include "plan/verdict/load_line.h"
#include "plan/verdict/place.h"
#include "tests/unit/model/ir/small_graph.h"
#include "tests/zoo_network.h"

namespace plimsoll {
namespace {

TEST(LargestBatch, IsExactOnStraightAndBentCurves) {
  for (const double power : {1.0, 0.5, 2.0}) {
    const auto load = [&](int64_t batch) -> Result<Bytes> {
      return Bytes(int64_t(1000 + 3 * std::pow(double(batch), power)));
    };
    for (const int64_t limit : {1002, 1003, 1010, 2000, 123456}) {
      const int64_t found = *largest_batch(Bytes(limit), 1, 1'000'000, load);
      if (found > 0) {
        EXPECT_LE(*load(found), Bytes(limit)) << power << " " << limit;
      }
      if (found < 1'000'000) {
        EXPECT_GT(*load(found + 1), Bytes(limit)) << power << " " << limit;
      }
    }
  }
}

TEST(LargestBatch, KnownPointsSaveQuestions) {
  int asked = 0;
  const auto load = [&](int64_t batch) -> Result<Bytes> {
    ++asked;
    return Bytes(100 + 7 * batch);
  };
  EXPECT_EQ(*largest_batch(Bytes(1000), 1, 1000, load, {{120, Bytes(940)}, {130, Bytes(1010)}}), 128);
  EXPECT_LE(asked, 4);
}

FitQuestion question_of(const Network& network, Bytes memory) {
  FitQuestion question;
  question.network = &network;
  question.step.optimizer = *find_optimizer("adam");
  question.memory = memory;
  question.load_line = kLoadLine;
  return question;
}

// What is said to fit is what a plan of exactly that batch takes, and one sample more is too much.
TEST(Fit, TheLargestBatchFitsAndTheNextDoesNot) {
  for (const char* model : {"lenet5", "resnet18", "mobilenet_v2", "vit_b_16"}) {
    const Network network = zoo_network(model);
    const auto answer = fit(question_of(network, Bytes(int64_t{6} << 30)));
    ASSERT_TRUE(answer.ok()) << answer.error().line();
    EXPECT_TRUE(answer->fits) << model;
    EXPECT_LE(answer->load.peak.expected, answer->line) << model;
    EXPECT_GT(*answer->next_peak, answer->line) << model;
    StepOptions options;
    options.optimizer = *find_optimizer("adam");
    const auto step = make_step(*network.forward(answer->largest, {}), options);
    EXPECT_EQ(plan_memory(*step, plain_size_rules()).peak(), answer->load.peak.expected) << model;
    EXPECT_EQ(answer->load.breakdown.total(), answer->load.peak.expected) << model;
  }
}

TEST(Fit, EveryAlternativeCarriesMore) {
  const Network network = zoo_network("resnet50");
  const auto answer = fit(question_of(network, Bytes(int64_t{8} << 30)));
  ASSERT_TRUE(answer.ok()) << answer.error().line();
  EXPECT_GE(answer->alternatives.size(), 4u);
  for (const auto& other : answer->alternatives) EXPECT_GT(other.batch, answer->largest) << other.change;
}

TEST(Fit, FrameworksAnswerWithARangeOfAtMostOnePointFour) {
  const Network network = zoo_network("resnet18");
  for (const Framework framework : {Framework::pytorch, Framework::tensorflow}) {
    FitQuestion question = question_of(network, Bytes(int64_t{11} << 30));
    question.framework = framework;
    const auto answer = fit(question);
    ASSERT_TRUE(answer.ok()) << answer.error().line();
    const PeakRange peak = answer->load.peak;
    EXPECT_LT(peak.low, peak.expected);
    EXPECT_LT(peak.expected, peak.high);
    EXPECT_LE(double(peak.high.value()), 1.4 * double(peak.low.value()));
  }
}

// More that may be computed again never carries less, whoever runs the step.
TEST(Fit, MoreRecomputationNeverCarriesLess) {
  for (const char* model : {"lenet5", "resnet18", "densenet121", "vit_b_16", "gpt2"}) {
    const Network network = zoo_network(model);
    for (const Framework framework : {Framework::plimsoll, Framework::pytorch}) {
      FitQuestion question = question_of(network, Bytes(int64_t{24} << 30));
      question.framework = framework;
      question.alternatives = false;
      int64_t before = 0;
      for (const double share : {0.0, 0.013, 0.05, 0.2, 0.35, 0.4, 1.0}) {
        question.step.recompute = share;
        const auto answer = fit(question);
        ASSERT_TRUE(answer.ok()) << answer.error().line();
        EXPECT_GE(answer->largest, before) << model << " at " << share;
        EXPECT_LE(answer->load.needed, answer->line) << model << " at " << share;
        EXPECT_LE(answer->load.needed, answer->load.peak.expected) << model << " at " << share;
        before = answer->largest;
      }
    }
  }
}

// Optimizers of frameworks keep their numbers in the parameter's format; ours in f32.
TEST(Fit, OptimizerStateIsInTheFormatThatTheFrameworkKeepsItIn) {
  const Network network = zoo_network("lenet5");
  const struct {
    const char* format;
    Framework framework;
    int64_t bytes;  // a parameter's: both moments of Adam
  } kCases[] = {{"f32", Framework::pytorch, 8},     {"bf16", Framework::pytorch, 4}, {"f16", Framework::pytorch, 4},
                {"bf16", Framework::tensorflow, 4}, {"amp", Framework::pytorch, 8},  {"f64", Framework::pytorch, 16},
                {"bf16", Framework::plimsoll, 8}};
  Count parameters;
  const Program forward = *network.forward(1, {});
  for (const auto& value : forward.values)
    if (value.role == Role::parameter) parameters += value.type->elements();
  for (const auto& expected : kCases) {
    FitQuestion question = question_of(network, Bytes(int64_t{1} << 30));
    question.format = *number_format(expected.format);
    question.framework = expected.framework;
    question.batch = 1;
    const auto answer = fit(question);
    ASSERT_TRUE(answer.ok()) << answer.error().line();
    const int64_t found = answer->load.breakdown[MemoryPart::optimizer].value();
    const int64_t exact = parameters.value() * expected.bytes;
    EXPECT_GE(found, exact) << expected.format;
    EXPECT_LT(found, exact + 64 * 2 * 20) << expected.format << ": no more than rounding";
  }
}

// As in CLIP: every sample against every other, so that memory grows with the square of the batch.
Network square_network() {
  return Network("square", [](std::optional<int64_t> batch, const NumberFormat&) -> Result<Program> {
    SmallGraph made;
    const ValueId x = made.input("x", {Dim("N"), 8}), w = made.parameter("w", {8, 8});
    const ValueId y = made.node("y", "matmul", {x, w});
    return bind(*made.finish({made.node("logits", "matmul", {y, made.node("turn", "transpose", {y})})}),
                {.batch = batch});
  });
}

TEST(Fit, ANetworkThatComparesAllSamplesWithAllHasALargestBatch) {
  for (const Framework framework : {Framework::plimsoll, Framework::pytorch}) {
    const Network network = square_network();
    FitQuestion question = question_of(network, Bytes(int64_t{4} << 30));
    question.framework = framework;
    const auto answer = fit(question);
    ASSERT_TRUE(answer.ok()) << answer.error().line();
    EXPECT_GT(answer->largest, 10'000);
    EXPECT_LT(answer->largest, 40'000) << "one square of f32 is the whole memory";
    EXPECT_GT(*answer->next_peak, answer->line);
    EXPECT_TRUE((*network.steps({}, question.step))->straight());
  }
}

TEST(HourlyPrice, IsTheRentOrThePriceOverTheYearsOfUse) {
  const auto rented = hourly_price(find_candidate("aws-g4dn.xlarge")->whole);
  ASSERT_TRUE(rented);
  EXPECT_TRUE(rented->rented);
  const Device card = find_candidate("nvidia-gtx-1080-ti")->whole;
  const auto bought = hourly_price(card);
  ASSERT_TRUE(bought);
  EXPECT_FALSE(bought->rented);
  EXPECT_DOUBLE_EQ(bought->price.value * 3 * 8760, card.price->value);
  EXPECT_DOUBLE_EQ(cost_of({7200}, {1.5}).value, 3.0);
}

}  // namespace
}  // namespace plimsoll
