// Tokens one after the other with caches, against the whole sequence computed again for each.
#include "run/train/next_token.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "model/hf/import_config.h"
#include "model/ir/bind.h"
#include "model/passes/decoding_step.h"
#include "model/passes/pipeline.h"
#include "run/exec/backend.h"
#include "run/train/initialise.h"

namespace plimsoll {
namespace {

constexpr int64_t kLength = 12;

const char* const kGpt2 = R"({"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "n_embd": 32, "n_layer": 2,
  "n_head": 2, "n_positions": 64, "vocab_size": 90})";
const char* const kLlama = R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 32,
  "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
  "max_position_embeddings": 64, "vocab_size": 90})";
const char* const kQwen3 = R"({"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_size": 32,
  "intermediate_size": 48, "num_hidden_layers": 1, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 12,
  "max_position_embeddings": 64, "vocab_size": 90, "tie_word_embeddings": true})";
const char* const kBloom = R"({"architectures": ["BloomForCausalLM"], "model_type": "bloom", "hidden_size": 32,
  "n_layer": 1, "n_head": 2, "vocab_size": 90})";
const char* const kMamba = R"({"architectures": ["MambaForCausalLM"], "model_type": "mamba", "hidden_size": 32,
  "num_hidden_layers": 1, "state_size": 4, "vocab_size": 90})";

Program forward_of(const char* config, int64_t tokens) {
  const auto graph = import_config_text(config, {.sequence = tokens});
  EXPECT_TRUE(graph.ok()) << graph.error().line();
  auto program = bind(*graph, {.batch = 1});
  EXPECT_TRUE(program.ok()) << program.error().line();
  return *std::move(program);
}

std::optional<Program> decoding_of(const char* config) {
  return decoding_step(forward_of(config, kLength), forward_of(config, 1));
}

std::unique_ptr<Executor> executor_of(const Backend& backend, Program forward, int threads) {
  auto step = make_step(std::move(forward), {.fuse = backend.takes_fused()});
  EXPECT_TRUE(step.ok()) << step.error().line();
  auto executor = make_executor(backend, *std::move(step), EngineOptions(threads));
  EXPECT_TRUE(executor.ok()) << executor.error().line();
  return *std::move(executor);
}

// The parameters of one, in the other.
void copy_parameters(const Executor& from, Executor& to) {
  std::map<std::string, ValueId> there;
  for (size_t i = 0; i < from.program().values.size(); ++i)
    if (from.program().values[i].role == Role::parameter) there[from.program().values[i].name] = {int32_t(i)};
  for (size_t i = 0; i < to.program().values.size(); ++i) {
    const ProgramValue& value = to.program().values[i];
    if (value.role != Role::parameter || value.storage.present()) continue;
    std::vector<std::byte> bytes(size_t(value.type->bytes().value()));
    from.read(there.at(value.name), bytes);
    to.write({int32_t(i)}, bytes);
  }
}

struct Case {
  const char *name, *config;
};

class NextTokenOf : public testing::TestWithParam<Case> {};

TEST_P(NextTokenOf, KeptTokensScoreAsTheWholeSequenceDoes) {
  for (const Backend* backend : all_backends()) {
    const auto whole = executor_of(*backend, forward_of(GetParam().config, kLength), 1);
    auto decoding = decoding_of(GetParam().config);
    ASSERT_TRUE(decoding.has_value());
    const auto one = executor_of(*backend, *std::move(decoding), 2);
    initialise(*whole, 3);
    copy_parameters(*whole, *one);
    const auto slow = next_token_of(*whole), fast = next_token_of(*one);
    std::vector<int64_t> tokens{5, 17};
    while (int64_t(tokens.size()) <= kLength) {
      const auto expected = slow->scores_after(tokens), found = fast->scores_after(tokens);
      ASSERT_EQ(found.size(), expected.size());
      for (size_t i = 0; i < found.size(); ++i)
        ASSERT_NEAR(found[i], expected[i], 1e-5) << backend->name() << " " << tokens.size();
      tokens.push_back(int64_t(tokens.size() * 31 % 90));
    }
  }
}

TEST_P(NextTokenOf, AnotherTextTakesThePlaceOfTheOneBefore) {
  const auto one = executor_of(*all_backends().front(), *decoding_of(GetParam().config), 1);
  initialise(*one, 3);
  const auto next = next_token_of(*one);
  const auto copied = [](std::span<const float> scores) { return std::vector<float>(scores.begin(), scores.end()); };
  const auto first = copied(next->scores_after({5, 17, 4}));
  EXPECT_EQ(copied(next->scores_after({5, 17, 4})), first);
  EXPECT_NE(copied(next->scores_after({5, 2})), first);
  EXPECT_EQ(copied(next->scores_after({5, 17, 4})), first);
}

INSTANTIATE_TEST_SUITE_P(Families, NextTokenOf,
                         testing::Values(Case{"gpt2", kGpt2}, Case{"llama", kLlama}, Case{"qwen3", kQwen3}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(DecodingStep, CachesAreAllThatItAddsToTheNetwork) {
  const auto decoding = decoding_of(kLlama);
  ASSERT_TRUE(decoding.has_value());
  Bytes caches(0);
  for (const auto& value : decoding->values)
    if (value.role == Role::state) caches += value.type->bytes();
  EXPECT_EQ(caches, Bytes(2 * 2 * kLength * 16 * 4));  // layers, keys and values, tokens, 2 heads of 8, f32
  EXPECT_EQ(decoding->inputs.size(), 2U);
}

// Scores that depend on the distance, states that are handed on: those still read the whole sequence.
TEST(DecodingStep, RefusesWhatLooksBackInOtherWays) {
  EXPECT_FALSE(decoding_of(kBloom).has_value());
  EXPECT_FALSE(decoding_of(kMamba).has_value());
}

}  // namespace
}  // namespace plimsoll
