// Steps that are made of torch's own operator lists.
#include "tests/accuracy/operator_list.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr const char* kList = R"({"mode": "train", "B": 2, "params": 1000, "ops": [
  {"n": "convolution", "ib": 2048, "ob": 4096, "pb": 64, "dt": "float16", "os": [2, 16, 8, 8], "x": [2, 8, 8, 8],
   "w": [16, 8, 3, 3], "g": 1, "ss": [[2, 8, 8, 8], [16, 8, 3, 3]]},
  {"n": "relu_", "ib": 4096, "ob": 4096, "dt": "float16", "ss": [[2, 16, 8, 8]]},
  {"n": "relu_", "ib": 4096, "ob": 4096, "dt": "float16", "ss": [[2, 16, 8, 8]]},
  {"n": "addmm", "mnk": [2, 10, 1024], "dt": "float16", "ss": [[10], [2, 1024], [1024, 10]]}]})";

double count(const TimedProgram& program, Work work, Phase phase) {
  double count = 0;
  for (const auto& operation : program.operations)
    if (operation.work == work && operation.phase == phase) count += operation.repeat;
  return count;
}

TEST(OperatorList, TrainingGoesBothWays) {
  const TimedProgram step = timed(operator_list(nlohmann::json::parse(kList)), 2);
  EXPECT_TRUE(step.trains);
  EXPECT_EQ(count(step, Work::convolution, Phase::forward), 1);
  EXPECT_EQ(count(step, Work::grad_weights, Phase::backward), 1);
  EXPECT_EQ(count(step, Work::grad_data, Phase::backward), 0) << "nobody needs the gradient of the samples";
  EXPECT_EQ(count(step, Work::element, Phase::forward), 2);
  EXPECT_EQ(count(step, Work::product, Phase::forward), 1);
  EXPECT_EQ(count(step, Work::product, Phase::backward), 2);
  EXPECT_EQ(count(step, Work::reduce, Phase::backward), 1);
  EXPECT_EQ(count(step, Work::update, Phase::update), 1);
}

// Fake tensors show a copy after fused attention that the kernels spare themselves.
TEST(OperatorList, NothingIsCopiedAfterFusedAttention) {
  constexpr const char* kAttention = R"({"mode": "infer", "B": 1, "ops": [
    {"n": "sdpa", "ib": 3072, "ob": 1024, "dt": "float16", "os": [1, 2, 16, 16],
     "ss": [[1, 2, 16, 16], [1, 2, 16, 16]]},
    {"n": "clone", "ib": 1024, "ob": 1024, "dt": "float16", "os": [1, 16, 2, 16], "ss": [[1, 16, 2, 16]]},
    {"n": "clone", "ib": 1024, "ob": 1024, "dt": "float16", "os": [1, 16, 2, 16], "ss": [[1, 16, 2, 16]]}]})";
  const TimedProgram step = timed(operator_list(nlohmann::json::parse(kAttention)), 1);
  EXPECT_EQ(count(step, Work::element, Phase::forward), 1);
  EXPECT_EQ(count(step, Work::product, Phase::forward), 1);
}

// Kernels of fused attention take four axes; nest and hiera hand them five.
TEST(OperatorList, AttentionOfFiveAxesIsNotFused) {
  constexpr const char* kAttention = R"({"mode": "infer", "B": 1, "ops": [
    {"n": "sdpa", "ib": 6144, "ob": 2048, "dt": "float16", "os": [1, 2, 2, 16, 16],
     "ss": [[1, 2, 2, 16, 16], [1, 2, 2, 16, 16]]}]})";
  const OperatorList list = operator_list(nlohmann::json::parse(kAttention));
  const TimedProgram before = timed(list, 1), since = timed(list, 1, {2, 9});
  EXPECT_EQ(count(before, Work::product, Phase::forward), 2);
  EXPECT_EQ(count(before, Work::normalise, Phase::forward), 1);
  EXPECT_DOUBLE_EQ(before.operations[1].flops, 2.0 * 4 * 16 * 16 * 16);
  EXPECT_EQ(before.operations[1].dtype, DType::f16);
  EXPECT_EQ(since.operations[2].dtype, DType::f32) << "in 32 bits since PyTorch 2.5";
}

TEST(OperatorList, GrowsWithTheBatch) {
  const OperatorList list = operator_list(nlohmann::json::parse(kList));
  const TimedProgram one = timed(list, 2), two = timed(list, 4);
  ASSERT_EQ(one.operations.size(), two.operations.size());
  EXPECT_DOUBLE_EQ(two.operations[0].flops, 2 * one.operations[0].flops);
  EXPECT_DOUBLE_EQ(one.operations[0].flops, 2.0 * 2 * 64 * 16 * 8 * 9);
  EXPECT_DOUBLE_EQ(two.operations[0].product.columns, 256);
}

}  // namespace
}  // namespace plimsoll
