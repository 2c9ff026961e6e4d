// Files that were once answered wrong (tests/data/repro, their weights left out), asked as a user asks about them.
// Expected figures are PyTorch's or follow from the shapes.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "base/rows/json.h"
#include "plimsoll/plimsoll.h"

namespace plimsoll {
namespace {

struct Told {
  int code = 0;
  Json answer;

  double number(const std::string& key) const { return answer.value(key, -1.0); }
  std::string text() const { return answer.dump(); }
};

Told ask(const std::string& verb, const std::string& file, Json request) {
  request["model"] = fmt::format("{}/repro/{}.onnx", PLIM_TEST_DATA, file);
  char* answer = nullptr;
  Told told;
  told.code = plimsoll_ask(verb.c_str(), request.dump().c_str(), &answer);
  told.answer = Json::parse(answer ? answer : "null");
  plimsoll_free(answer);
  return told;
}

Json on(const std::string& device, Json more = Json::object()) {
  more["device"] = device;
  more["brief"] = true;
  return more;
}

// A sum of samples of one weight has one gradient, not one a sample.
TEST(Repro, OneGradientOfAWeightThatRowsShare) {
  const Told told = ask("fit", "linear_3d_weight_grad", on("nvidia-b200", {{"batch", 8}}));
  EXPECT_EQ(told.code, PLIMSOLL_YES) << told.text();
  EXPECT_LT(told.number("peak_bytes"), 12e9) << told.text();
}

TEST(Repro, ATransposedWeightIsAView) {
  const Told told = ask("weigh", "transposed_weight", Json::object());
  EXPECT_EQ(told.number("params"), 4096 * 4096) << told.text();
  EXPECT_LT(told.number("activation_bytes"), 8e6) << told.text();
}

TEST(Repro, TheSearchForABatchDoesNotOverflow) {
  EXPECT_EQ(ask("fit", "clip_batch_by_batch", on("nvidia-rtx-4090")).code, PLIMSOLL_YES);
}

TEST(Repro, MixedTypesAreCastAsAutocastDoes) {
  EXPECT_EQ(ask("fit", "swin_amp_scatternd", on("nvidia-rtx-4090", {{"dtype", "amp"}})).code, PLIMSOLL_YES);
  const Told told = ask("fit", "mamba_amp_split", on("nvidia-rtx-4090", {{"dtype", "amp"}, {"dim", {"seq=32"}}}));
  EXPECT_EQ(told.code, PLIMSOLL_YES) << told.text();
}

// 46 convolutions in blocks of channels were unknown: batch 32,980.
TEST(Repro, OptimisedConvolutionsCount) {
  const Told weighed = ask("weigh", "unknown_ops_silent_in_fit", Json::object());
  EXPECT_EQ(weighed.number("params"), 3761480) << weighed.text();
  EXPECT_NEAR(weighed.number("macs") / 186.0e6, 1, 0.01);
  const Told told = ask("fit", "unknown_ops_silent_in_fit", on("nvidia-rtx-4090", {{"mode", "inference"}}));
  EXPECT_FALSE(told.answer.value("lower_bound", false)) << told.text();
}

TEST(Repro, AttentionAndRotaryEmbeddingOfOpset23Train) {
  const Told weighed = ask("weigh", "opset23_attention_rotary", {{"dim", {"seq=64"}}, {"batch", 2}});
  EXPECT_EQ(weighed.number("params"), 19468800) << weighed.text();
  const Told told = ask("fit", "opset23_attention_rotary", on("nvidia-rtx-4090", {{"dim", {"seq=64"}}}));
  EXPECT_EQ(told.code, PLIMSOLL_YES) << told.text();
  EXPECT_FALSE(told.answer.value("lower_bound", false));
}

TEST(Repro, WeightsOfFourBitsCount) {
  const Told told = ask("weigh", "matmulnbits_int4", {{"dim", {"seq=64"}}});
  EXPECT_EQ(told.number("params"), 19468800) << told.text();
  EXPECT_NEAR(told.number("macs") / 1.0003e9, 1, 0.01);
}

TEST(Repro, QuantisedOperationsCount) {
  const Told told = ask("weigh", "qoperator_int8", Json::object());
  EXPECT_EQ(told.number("params"), 3761480) << told.text();
  EXPECT_NEAR(told.number("macs") / 186.0e6, 1, 0.01);
}

// 20 features, hidden layers, one score: what follows the scaler is counted.
TEST(Repro, ClassicalOperationsCount) {
  const Told told = ask("weigh", "sklearn_mlp_scaler", Json::object());
  EXPECT_GT(told.number("macs"), 3000) << told.text();
  EXPECT_TRUE(told.answer.at("unknown_ops").empty()) << told.text();
}

TEST(Repro, LoopsAreTrainedThrough) {
  const Told told = ask("fit", "keras_gru_loop", on("nvidia-rtx-4090", {{"optimizer", "adam"}, {"batch", 64}}));
  EXPECT_EQ(told.code, PLIMSOLL_YES) << told.text();
  EXPECT_LT(told.number("largest_batch"), 1e6) << "all that is before the loop is trained: " << told.text();
}

TEST(Repro, FoldedNormsArePutBack) {
  const Told told = ask("weigh", "bn_folded_dynamo_resnet10t", Json::object());
  EXPECT_NE(told.text().find("folded 14 batch norms"), std::string::npos) << told.text();
  EXPECT_EQ(told.number("params"), 4927618) << told.text();
}

TEST(Repro, AFixedBatchIsFollowedToOthers) {
  for (const int64_t batch : {1, 2, 5}) {
    for (const char* file : {"static_batch1", "static_batch2"}) {
      const Told told = ask("fit", file, on("nvidia-rtx-4090", {{"batch", batch}}));
      EXPECT_EQ(told.code, PLIMSOLL_YES) << file << " " << told.text();
    }
  }
  const double one = ask("weigh", "static_batch2", {{"batch", 1}}).number("macs");
  EXPECT_EQ(ask("weigh", "static_batch2", {{"batch", 6}}).number("macs"), 6 * one);
}

TEST(Repro, APictureWithoutABatchIsOneSample) {
  const Told told = ask("fit", "detection_unbatched_chw", on("nvidia-t4", {{"mode", "inference"}, {"batch", 1}}));
  EXPECT_EQ(told.code, PLIMSOLL_YES) << told.text();
}

}  // namespace
}  // namespace plimsoll
