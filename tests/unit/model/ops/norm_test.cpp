// The normalisations by hand, with epsilon 0 so that the numbers are round.
#include "tests/unit/model/ops/op_case.h"

namespace plimsoll {
namespace {

const Attributes kExact{{"epsilon", 0.0}};

TEST(Norm, BatchNormUsesTheStoredStatistics) {
  const Tensor x = f32({1, 2, 2}, {1, 3, 10, 20});
  expect({"batch_norm", {x, f32({2, 1}), f32({1, 0}), f32({1, 10}), f32({4, 25})}, {1, 3, 0, 2}, kExact});
}

TEST(Norm, BatchNormInTrainingUsesTheBatchAndMovesTheStatistics) {
  const Tensor x = f32({2, 1, 1}, {1, 3}), one = f32({1}), zero = f32({0}), mean = f32({10}), variance = f32({5});
  const Attributes attributes{{"epsilon", 0.0}, {"momentum", 0.9}, {"training_mode", int64_t{1}}};
  const auto y = evaluate(op_named("batch_norm"), attributes, {&x, &one, &zero, &mean, &variance}, 3);
  ASSERT_TRUE(y.ok() && y->has_value());
  EXPECT_EQ((**y)[0].doubles(), (std::vector<double>{-1, 1}));
  EXPECT_NEAR((**y)[1].doubles()[0], 10 * 0.9 + 2 * 0.1, 1e-6);
  EXPECT_NEAR((**y)[2].doubles()[0], 5 * 0.9 + 1 * 0.1, 1e-6);
}

TEST(Norm, LayerNormOfEachRow) {
  expect({"layer_norm", {f32({2, 2}, {1, 3, 5, 1}), f32({2, 3}), f32({1, 1})}, {-1, 4, 3, -2}, kExact});
}

TEST(Norm, GroupNormScalesByGroupOrByChannel) {
  const Tensor x = f32({1, 2, 2}, {1, 3, 1, 3});
  const Attributes one_group{{"num_groups", int64_t{1}}, {"epsilon", 0.0}};
  expect({"group_norm", {x, f32({2}), f32({1})}, {-1, 3, -1, 3}, one_group});
  expect({"group_norm", {x, f32({1, 2}), f32({0, 1})}, {-1, 1, -1, 3}, one_group});
}

TEST(Norm, InstanceRmsAndLpNorms) {
  expect({"instance_norm", {f32({1, 2, 2}, {1, 3, 10, 30}), f32({1, 2}), f32({0, 1})}, {-1, 1, -1, 3}, kExact});
  expect({"rms_norm", {f32({1, 2}, {1, 7}), f32({5, 10})}, {1, 14}, kExact});
  expect({"lp_normalization", {f32({1, 2}, {3, 4})}, {0.6, 0.8}});
  expect({"lp_normalization", {f32({1, 2}, {-3, 1})}, {-0.75, 0.25}, {{"p", int64_t{1}}}});
  expect({"lp_normalization", {f32({1, 2}, {0, 0})}, {0, 0}});
}

TEST(Norm, LrnSumsSquaresOfNeighbouringChannels) {
  const Attributes attributes{{"size", int64_t{3}}, {"alpha", 3.0}, {"beta", 1.0}, {"bias", 1.0}};
  expect({"lrn", {f32({1, 3}, {1, 2, 3})}, {1.0 / 6, 2.0 / 15, 3.0 / 14}, attributes});
}

TEST(Norm, SoftmaxKeepsLargeNumbersAndFlattensWhenAsked) {
  const float ln3 = std::log(3.0f);
  expect({"softmax", {f32({1, 2}, {0, ln3})}, {0.25, 0.75}});
  expect({"softmax", {f32({2, 2}, {1e4f, 1e4f, -1e4f, -1e4f})}, {0.5, 0.5, 0.5, 0.5}});
  expect({"softmax", {f32({1, 2, 2}, {0, 0, 0, ln3})}, {0.5, 0.5, 0.25, 0.75}});
  expect({"softmax",
          {f32({1, 2, 2}, {0, 0, 0, ln3})},
          {1.0 / 6, 1.0 / 6, 1.0 / 6, 0.5},
          {{"axis", int64_t{1}}, {"flatten", int64_t{1}}}});
  expect({"log_softmax", {f32({1, 2}, {0, ln3})}, {std::log(0.25), std::log(0.75)}});
  expect({"hardmax", {f32({1, 3}, {1, 5, 5})}, {0, 1, 0}});
}

TEST(Norm, RefusesStatisticsOfAnotherSize) {
  const Tensor x = f32({1, 2, 2}, {1, 2, 3, 4}), two = f32({1, 1}), three = f32({1, 1, 1});
  expect_refused({"batch_norm", {x, two, two, three, two}, {}}, {"mean", "3", "2"});
  expect_refused({"layer_norm", {x, three}, {}}, {"scale", "3"});
  expect_refused({"group_norm", {x, two, two}, {}, {{"num_groups", int64_t{3}}}}, {"num_groups is 3"});
  expect_refused({"softmax", {x}, {}, {{"axis", int64_t{3}}}}, {"axis 3"});
  expect_refused({"lrn", {x}, {}}, {"size is 0"});
}

}  // namespace
}  // namespace plimsoll
