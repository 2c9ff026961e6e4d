// Recurrent layers with one unit, step by step from their definitions.
#include "tests/unit/model/ops/op_case.h"

namespace plimsoll {
namespace {

// All gates at 1/2, the cell's candidate at 1: c is 1/2, then 3/4.
const std::vector<float> kHalfGates{0, 0, 0, 50, 0, 0, 0, 0};
const double kFirst = 0.5 * std::tanh(0.5), kSecond = 0.5 * std::tanh(0.75);

OpCase lstm(const std::string& direction, std::vector<double> expected) {
  const Tensor x = f32({2, 1, 1}, {1, 1}), zeros = f32({1, 4, 1}, {0, 0, 0, 0});
  return {"lstm",
          {x, zeros, zeros, f32({1, 8}, kHalfGates)},
          std::move(expected),
          {{"direction", direction}, {"hidden_size", int64_t{1}}},
          Shape{2, 1, 1, 1}};
}

TEST(Recurrent, LstmKeepsHalfOfItsCell) {
  expect(lstm("forward", {kFirst, kSecond}));
  expect(lstm("reverse", {kSecond, kFirst}));
}

TEST(Recurrent, LstmStopsAtEachSequencesLength) {
  OpCase row = lstm("forward", {kFirst, 0});
  row.inputs.push_back(i32({1}));
  expect(row);
}

TEST(Recurrent, LstmAnswersWithItsLastStates) {
  const OpCase row = lstm("forward", {});
  std::vector<const Tensor*> inputs;
  for (const auto& input : row.inputs) inputs.push_back(&input);
  const auto y = evaluate(op_named("lstm"), row.attributes, inputs, 3);
  ASSERT_TRUE(y.ok() && y->has_value());
  EXPECT_NEAR((**y)[1].doubles()[0], kSecond, 1e-6);
  EXPECT_NEAR((**y)[2].doubles()[0], 0.75, 1e-6);
}

TEST(Recurrent, RnnFeedsItsStateBack) {
  const Tensor one = f32({1, 1, 1}, {1});
  const double first = std::tanh(1.0);
  expect({"rnn", {f32({2, 1, 1}, {1, 1}), one, one}, {first, std::tanh(1 + first)}});
}

TEST(Recurrent, GruMixesOldAndNewByItsUpdateGate) {
  const Tensor x = f32({2, 1, 1}, {1, 1}), zeros = f32({1, 3, 1}, {0, 0, 0});
  expect({"gru", {x, zeros, zeros, f32({1, 6}, {0, 0, 50, 0, 0, 0})}, {0.5, 0.75}});
}

TEST(Recurrent, MacsAreTheGateProductsOfEveryStep) {
  const TensorType x{DType::f32, {10, 2, 3}}, w{DType::f32, {2, 16, 3}}, r{DType::f32, {2, 16, 4}};
  const Attributes attributes{{"direction", std::string("bidirectional")}};
  OpCall call(attributes, {&x, &w, &r}, {}, 1);
  call.outputs = infer(op_named("lstm"), call).value();
  const Cost cost = op_named("lstm").cost(call);
  EXPECT_EQ(cost.macs.value(), 10 * 2 * 2 * 16 * (3 + 4));
  EXPECT_EQ(cost.flops.value(), 2 * cost.macs.value());
}

TEST(Recurrent, RefusesWeightsOfAnotherNumberOfGates) {
  OpCase row = lstm("forward", {});
  row.op = "gru";
  expect_refused(row, {"W has the shape 1x4x1", "1x3x1"});
  expect_refused(lstm("sideways", {}), {"sideways"});
}

}  // namespace
}  // namespace plimsoll
