#include "plan/llm/step_memory.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/zoo/language_models.h"

namespace plimsoll {
namespace {

struct Made {
  TokenForm form;
  StepTrace trace;
  TrainingSetup setup;
};

Made made(
    const std::string& method, void (*change)(TrainingSetup&) = [](TrainingSetup&) {}) {
  Made made;
  made.setup.tuning = *parse_tuning("method", method);
  made.setup.optimizer = *find_token_optimizer("optimizer", "adamw");
  change(made.setup);
  const auto graph = build_language_model(*find_language_model("llama-3.2-1b"), 512);
  made.form = *token_form(*graph, made.setup);
  made.trace = step_trace(made.form, made.setup);
  return made;
}

StepMemory memory(const Made& made, int64_t batch = 1) {
  return step_memory(made.form, made.trace, made.setup, batch, nullptr);
}

constexpr int64_t kParams = 1'235'814'400;

double gib(Bytes bytes) { return double(bytes.value()) / double(1 << 30); }

TEST(StepMemory, StatesOfAFullTrainingAreCountedToTheByte) {
  const StepMemory full = memory(made("full"));
  EXPECT_EQ(full[TokenPart::parameters], Bytes(kParams * 2));
  EXPECT_EQ(full[TokenPart::optimizer], Bytes(kParams * 4));
  EXPECT_EQ(full[TokenPart::input], Bytes(512 * 16));  // a token and its label
  Bytes sum;
  for (size_t p = 0; p < kTokenParts; ++p)
    if (TokenPart(p) != TokenPart::slack && TokenPart(p) != TokenPart::fixed) sum += full.parts[p];
  EXPECT_NEAR(double(sum.value()), double(full.allocated.value()), 16);  // parts are rounded one by one
  EXPECT_GE(full.reserved, full.allocated);
}

// Whatever is drawn of a step has its fullest moment where the answer has the peak, with the same parts.
TEST(StepMemory, TheMomentsOfAStepReachItsPeak) {
  for (const auto& step :
       {made("lora:8"), made("full", [](TrainingSetup& s) { s.checkpointing = Checkpointing::full; }),
        made("full", [](TrainingSetup& s) {
          s.degrees.workers = s.degrees.pipeline = 2;
          s.micro_batches = 4;
        })}) {
    std::vector<TokenMoment> moments;
    const StepMemory memory = step_memory(step.form, step.trace, step.setup, 2, nullptr, std::nullopt, &moments);
    ASSERT_GT(moments.size(), 100u);
    const auto fullest = std::max_element(moments.begin(), moments.end(),
                                          [](const auto& a, const auto& b) { return a.sum() < b.sum(); });
    EXPECT_NEAR(double(fullest->sum().value()), double(memory.peak().value()), 32);  // parts are rounded one by one
    EXPECT_EQ(fullest->operation, memory.peak_operation);
    for (size_t p = 0; p < kTokenParts; ++p) EXPECT_EQ(fullest->parts[p], memory.parts[p]) << name_of(TokenPart(p));
    EXPECT_EQ(moments.front().phase, Phase::forward);
    EXPECT_EQ(moments.back().phase, Phase::update);
    EXPECT_TRUE(
        std::is_sorted(moments.begin(), moments.end(), [](const auto& a, const auto& b) { return a.phase < b.phase; }));
  }
}

TEST(StepMemory, EveryWayToSaveMemorySavesSome) {
  const double full = gib(memory(made("full"), 4).allocated);
  EXPECT_LT(gib(memory(made("lora:8"), 4).allocated), full);
  EXPECT_LT(gib(memory(made("qlora:8"), 4).allocated), gib(memory(made("lora:8"), 4).allocated));
  const auto with = [&](void (*change)(TrainingSetup&)) { return gib(memory(made("full", change), 4).allocated); };
  const auto adapted = [&](void (*change)(TrainingSetup&)) { return gib(memory(made("lora:8", change), 4).allocated); };
  const double selective = adapted([](TrainingSetup& s) { s.checkpointing = Checkpointing::selective; });
  EXPECT_LT(selective, gib(memory(made("lora:8"), 4).allocated));
  EXPECT_LT(adapted([](TrainingSetup& s) { s.checkpointing = Checkpointing::full; }), selective);
  EXPECT_LT(with([](TrainingSetup& s) { s.logits = LogitsKind::bf16; }), full);
  EXPECT_LT(with([](TrainingSetup& s) { s.logits = LogitsKind::chunked; }), full);
  EXPECT_GT(with([](TrainingSetup& s) { s.attention = AttentionKernel::eager; }), full);
  EXPECT_LT(with([](TrainingSetup& s) { s.attention = AttentionKernel::flash; }), full);
  EXPECT_LT(with([](TrainingSetup& s) { s.optimizer = *find_token_optimizer("o", "adamw_8bit"); }), full);
  EXPECT_LT(with([](TrainingSetup& s) { s.offload = Offload::optimizer; }), full);
  EXPECT_GT(with([](TrainingSetup& s) { s.format = TokenFormat::f32; }), full);
  EXPECT_GT(with([](TrainingSetup& s) { s.packing = true; }), full);
}

TEST(StepMemory, DividedStatesAreAnEighth) {
  const StepMemory sharded = memory(made("full", [](TrainingSetup& s) {
    s.shard = Shard::fsdp;
    s.degrees.workers = 8;
  }));
  EXPECT_NEAR(double(sharded[TokenPart::optimizer].value()), double(kParams) * 4 / 8, 1e3);
  const StepMemory tensor = memory(made("full", [](TrainingSetup& s) { s.degrees.workers = s.degrees.tensor = 8; }));
  EXPECT_LT(tensor[TokenPart::parameters], Bytes(kParams * 2 / 7));
}

TEST(StepMemory, PartsAreNamedAsThoseOfOtherNetworks) {
  EXPECT_EQ(name_of(TokenPart::fixed), "fixed");
  EXPECT_EQ(name_of(TokenPart::parameters), "parameters");
}

// Megatron's kernels keep less for the backward pass than plain PyTorch: one device's half of a network that is cut in
// two takes less than half of the activations.
TEST(StepMemory, FusedKernelsKeepLess) {
  const StepMemory whole = memory(made("full"), 4);
  const StepMemory half = memory(made("full", [](TrainingSetup& s) { s.degrees.workers = s.degrees.tensor = 2; }), 4);
  EXPECT_LT(half[TokenPart::activations].value(), whole[TokenPart::activations].value() / 2);
  EXPECT_LT(half[TokenPart::logits].value(), whole[TokenPart::logits].value() / 2);
}

TEST(StepMemory, TheFirstStageOfAPipelineHoldsAllMicroBatches) {
  const auto staged = [](int64_t micro_batches) {
    Made staged = made("full", [](TrainingSetup& s) { s.degrees.workers = s.degrees.pipeline = 4; });
    staged.setup.micro_batches = micro_batches;
    return memory(staged);
  };
  EXPECT_GT(staged(4).allocated, staged(1).allocated);
  EXPECT_EQ(staged(8).allocated, staged(4).allocated);
}

}  // namespace
}  // namespace plimsoll
