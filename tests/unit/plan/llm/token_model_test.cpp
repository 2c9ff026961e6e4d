#include "plan/llm/token_model.h"

#include <gtest/gtest.h>

#include "model/zoo/language_models.h"
#include "plan/verdict/candidate.h"

namespace plimsoll {
namespace {

TokenModel small_llama() {
  return TokenModel("llama-3.2-1b", [](int64_t sequence) -> Result<std::shared_ptr<const Graph>> {
    PLIM_ASSIGN(Graph graph, build_language_model(*find_language_model("llama-3.2-1b"), sequence));
    return std::make_shared<const Graph>(std::move(graph));
  });
}

// What is known of one device serves another only where it is the same there.
TEST(TokenModel, EveryDeviceHasItsOwnMemoryInWhateverOrderTheyAreAsked) {
  TrainingSetup setup;
  setup.optimizer = *find_token_optimizer("optimizer", "adamw");
  TokenModel model = small_llama();
  for (const char* name : {"nvidia-t4", "nvidia-h100-80gb", "nvidia-rtx-4090", "nvidia-p4", "nvidia-a100-40gb"}) {
    SCOPED_TRACE(name);
    const Device device = find_candidate(name)->part;
    const TokenModel::Made& made = **model.at(setup, 512);
    const StepMemory alone = step_memory(made.form, made.trace, setup, 2, &device);
    const StepMemory known = *model.memory(setup, 512, 2, &device);
    EXPECT_EQ(known.needed(), alone.needed());
    EXPECT_EQ(known.peak(), alone.peak());
    EXPECT_EQ(known.parts, alone.parts);
  }
}

// It fits, and one that is a hundredth longer does not; few lengths are made on the way, as each is a network of its
// own.
TEST(TokenModel, TheLongestSequenceIsFoundWithFewNetworks) {
  for (const bool eager : {false, true})
    for (const double gib : {18.0, 40.0, 140.0}) {
      SCOPED_TRACE(gib);
      TrainingSetup setup;
      setup.optimizer = *find_token_optimizer("optimizer", "adamw");
      if (eager) setup.attention = AttentionKernel::eager;
      int made = 0;
      TokenModel model("llama-3.2-1b", [&made](int64_t sequence) -> Result<std::shared_ptr<const Graph>> {
        ++made;
        PLIM_ASSIGN(Graph graph, build_language_model(*find_language_model("llama-3.2-1b"), sequence));
        return std::make_shared<const Graph>(std::move(graph));
      });
      const Device device = find_candidate("nvidia-h100-80gb")->part;
      const Bytes line(int64_t(gib * double(int64_t{1} << 30)));
      const int64_t longest = *model.longest_sequence(setup, 1, &device, line);
      EXPECT_LE(made, 12);
      ASSERT_GE(longest, 16);
      EXPECT_LE(model.memory(setup, longest, 1, &device)->needed(), line);
      EXPECT_GT(model.memory(setup, longest + longest / 100 + 2, 1, &device)->needed(), line);
    }
}

TEST(TokenModel, NoSequenceIsLongWhereNothingFits) {
  TrainingSetup setup;
  setup.optimizer = *find_token_optimizer("optimizer", "adamw");
  TokenModel model = small_llama();
  const Device device = find_candidate("nvidia-t4")->part;
  EXPECT_EQ(*model.longest_sequence(setup, 1, &device, Bytes(int64_t{1} << 30)), 0);
}

}  // namespace
}  // namespace plimsoll
