#include "run/bench/profile.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/ops/conv_gradient.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "run/bench/bench_step.h"
#include "run/bench/operation_kind.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

const ProfileLine* find(const Profile& profile, const std::string& kind) {
  const auto same = [&](const auto& line) { return line.kind == kind; };
  const auto found = std::find_if(profile.lines.begin(), profile.lines.end(), same);
  return found == profile.lines.end() ? nullptr : &*found;
}

BenchCase one_step(const std::string& network, ConvSetting conv) {
  BenchCase bench;
  auto step = make_step(zoo_program(network, {}, 2), {.optimizer = *find_optimizer("momentum")});
  EXPECT_TRUE(step.ok());
  bench.step = std::move(*step);
  bench.backend = all_backends().front();
  bench.engine = EngineOptions(1, conv);
  bench.warm_up = 0;
  bench.least_steps = 2;
  bench.least_time = Seconds{0};
  bench.profile = true;
  return bench;
}

TEST(Profile, AStepIsSplitByKinds) {
  const auto result = bench_step(one_step("fmnist_cnn", ConvSetting::direct));
  ASSERT_TRUE(result.ok()) << result.error().line();
  ASSERT_TRUE(result->profile.has_value());
  const Profile& profile = *result->profile;
  for (const char* kind : {"convolution forward, direct", "convolution backward data, direct",
                           "convolution backward weights, direct", "batch norm", "batch norm backward", "pooling",
                           "pooling backward", "matrix product", "matrix product backward", "loss", "update"})
    EXPECT_NE(find(profile, kind), nullptr) << kind;
  Seconds sum = profile.outside();
  for (const auto& line : profile.lines) sum.value += line.time.value;
  EXPECT_NEAR(sum.value, profile.step.value, 1e-9 + profile.step.value * 1e-6);
  EXPECT_TRUE(std::is_sorted(profile.lines.begin(), profile.lines.end(),
                             [](const auto& a, const auto& b) { return a.time > b.time; }));
}

TEST(Profile, CountsAreThoseOfTheStep) {
  const BenchCase bench = one_step("fmnist_cnn", ConvSetting::direct);
  const auto result = bench_step(bench);
  ASSERT_TRUE(result.ok()) << result.error().line();
  Flops counted, expected;
  for (const auto& line : result->profile->lines) counted += line.flops;
  for (const auto& operation : bench.step.operations) expected += operation.cost.flops * operation.repeat;
  EXPECT_EQ(counted, expected);
  EXPECT_EQ(find(*result->profile, "convolution forward, direct")->operations, 2);
  EXPECT_EQ(find(*result->profile, "convolution backward data, direct")->operations, 1) << "none to the image";
}

TEST(Profile, IsNotTakenUnlessAskedFor) {
  BenchCase bench = one_step("lenet5", ConvSetting::automatic);
  bench.profile = false;
  const auto result = bench_step(bench);
  ASSERT_TRUE(result.ok());
  EXPECT_FALSE(result->profile.has_value());
}

TEST(Profile, IsOfTheFasterHalf) {
  auto lowered = portable_lowering().lower(zoo_program("logistic"));
  ASSERT_TRUE(lowered.ok());
  const size_t count = (*lowered)->program.operations.size();
  const auto timed = [&](double whole, double each) {
    return TimedStep{Seconds{whole}, std::vector<Seconds>(count, Seconds{each})};
  };
  const Profile profile = make_profile(**lowered, {timed(9, 1), timed(2, 0.1), timed(4, 0.3)});
  EXPECT_DOUBLE_EQ(profile.step.value, 3);
  ASSERT_FALSE(profile.lines.empty());
  for (const auto& line : profile.lines) {
    EXPECT_NEAR(line.time.value, 0.2 * double(line.operations), 1e-12) << line.kind;
  }
}

TEST(Profile, PredictionsAreAddedUpByKind) {
  auto lowered = portable_lowering().lower(zoo_program("lenet5"));
  ASSERT_TRUE(lowered.ok());
  const size_t count = (*lowered)->program.operations.size();
  Profile profile = make_profile(**lowered, {{Seconds{1}, std::vector<Seconds>(count, Seconds{0.1})}});
  set_predicted(profile, **lowered, std::vector<Seconds>(count, Seconds{0.5}));
  for (const auto& line : profile.lines) EXPECT_DOUBLE_EQ(line.predicted->value, 0.5 * double(line.operations));
}

TEST(Profile, SurvivesPacking) {
  Profile profile;
  profile.step = Seconds{0.5};
  profile.lines = {{"update", 3, Seconds{0.25}, Flops(7), Bytes(9)}};
  const Profile back = unpacked(packed(profile));
  ASSERT_EQ(back.lines.size(), 1u);
  EXPECT_EQ(back.step, profile.step);
  EXPECT_EQ(back.lines[0].kind, "update");
  EXPECT_EQ(back.lines[0].operations, 3);
  EXPECT_EQ(back.lines[0].flops, Flops(7));
  EXPECT_EQ(back.lines[0].moved, Bytes(9));
  EXPECT_EQ(back.outside(), Seconds{0.25});
}

TEST(OperationKind, TellsWaysAndDirectionsApart) {
  const Op lrn_grad{.name = "lrn_grad", .kind = OpKind::norm}, reorder{.name = "reorder", .kind = OpKind::reorder},
      grad{.name = "relu_grad", .elementwise = true};
  Operation operation;
  operation.op = &conv_grad_weights();
  operation.phase = Phase::backward;
  EXPECT_EQ(operation_kind(operation, "winograd"), "convolution backward weights, winograd");
  EXPECT_EQ(operation_kind(operation, ""), "convolution backward weights");
  operation.op = &lrn_grad;
  EXPECT_EQ(operation_kind(operation, ""), "other normalisation backward");
  operation.op = &reorder;
  EXPECT_EQ(operation_kind(operation, ""), "reorder");
  operation.op = &grad;
  EXPECT_EQ(operation_kind(operation, ""), "element-wise backward");
  operation.op = nullptr;
  operation.op_name = "somebody's own";
  operation.phase = Phase::forward;
  EXPECT_EQ(operation_kind(operation, ""), "somebody's own");
}

}  // namespace
}  // namespace plimsoll
