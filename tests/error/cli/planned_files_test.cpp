// Files whose steps are easy to plan wrong: weight gradients for each sample, transposed weights as activations, memory
// that grows with the square of the batch, loops that nothing is trained before, a batch that is fixed.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

constexpr double kGiB = 1 << 30;

nlohmann::json answer_of(std::vector<std::string> words, const std::string& file) {
  words.insert(words.begin() + 1, PLIM_TEST_DATA "/planned/" + file);
  words.emplace_back("--json");
  const Ran ran = run_plimsoll(words);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  return nlohmann::json::parse(ran.out, nullptr, false);
}

TEST(PlannedFiles, AWeightHasOneGradientForAllSamples) {
  for (const char* framework : {"pytorch", "plimsoll"}) {
    const auto json = answer_of({"fit", "--memory", "180GiB", "--batch", "8", "--framework", framework},
                                "linear_3d_weight_grad.onnx");
    EXPECT_LT(json["largest_tensor"]["bytes"], 3 * kGiB) << framework << ": 4096x128256 in f32 is 1.96 GiB";
  }
}

TEST(PlannedFiles, ATransposedWeightIsNoActivation) {
  EXPECT_EQ(answer_of({"weigh"}, "transposed_weight.onnx")["activation_bytes"], 128 * 4096 * 4);
  for (const char* framework : {"pytorch", "plimsoll"})
    for (const char* mode : {"train", "inference"}) {
      const auto json = answer_of({"fit", "--memory", "8GiB", "--batch", "1", "--framework", framework, "--mode", mode},
                                  "transposed_weight.onnx");
      EXPECT_LT(json["breakdown"]["activations"], 64 << 20) << framework << ", " << mode;
    }
}

TEST(PlannedFiles, MemoryOverTheSquareOfTheBatchHasALargestBatch) {
  const auto json = answer_of({"fit", "--device", "nvidia-rtx-4090"}, "clip_batch_by_batch.onnx");
  EXPECT_GT(json["largest_batch"], 1000);
  EXPECT_LT(json["largest_batch"], 100'000) << "its square in f32 is more than the memory";
}

TEST(PlannedFiles, WhatStandsBeforeALoopIsTrained) {
  const auto json = answer_of({"fit", "--device", "nvidia-rtx-4090", "--optimizer", "adam"}, "keras_gru_loop.onnx");
  EXPECT_GE(json["breakdown"]["optimizer"], 402'208 * 8) << "two moments of every parameter";
}

TEST(PlannedFiles, TheBatchOfAFileCanBeAskedFor) {
  const auto json = answer_of({"fit", "--device", "nvidia-rtx-4090", "--batch", "1"}, "static_batch1.onnx");
  EXPECT_EQ(json["fits"], true);
}

TEST(PlannedFiles, AFixedBatchIsFollowedToTheLargestThatFits) {
  const auto json = answer_of({"fit", "--device", "nvidia-rtx-4090"}, "static_batch1.onnx");
  EXPECT_GT(json["largest_batch"], 1000);
}

}  // namespace
}  // namespace plimsoll
