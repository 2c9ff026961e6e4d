// Networks of text that read pictures: where the picture's tokens stand, and what is read of them afterwards.
#include <gtest/gtest.h>

#include "model/hf/import_config.h"
#include "model/ir/bind.h"
#include "plan/llm/token_form.h"
#include "plan/serving/served_network.h"
#include "plan/weight/token_weight.h"

namespace plimsoll {
namespace {

constexpr const char* kQwen = R"({"architectures": ["Qwen2_5_VLForConditionalGeneration"], "model_type": "qwen2_5_vl",
  "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 3, "num_attention_heads": 4,
  "num_key_value_heads": 2, "vocab_size": 500, "max_position_embeddings": 4096, "vision_config": {"depth": 2,
  "hidden_size": 32, "intermediate_size": 64, "num_heads": 2, "out_hidden_size": 64}})";

// Two layers of a delta rule for each of attention; the last layer of a Gemma 4 reads an earlier one's keys.
constexpr const char* kNext = R"({"architectures": ["Qwen3NextForCausalLM"], "model_type": "qwen3_next",
  "hidden_size": 64, "num_hidden_layers": 3, "full_attention_interval": 3, "num_attention_heads": 4,
  "num_key_value_heads": 2, "head_dim": 16, "vocab_size": 500, "num_experts": 4, "num_experts_per_tok": 2,
  "moe_intermediate_size": 32, "shared_expert_intermediate_size": 32, "linear_num_key_heads": 2,
  "linear_num_value_heads": 4, "linear_key_head_dim": 8, "linear_value_head_dim": 16})";
constexpr const char* kGemma4 = R"({"architectures": ["Gemma4ForCausalLM"], "model_type": "gemma4_text",
  "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 4, "num_attention_heads": 4,
  "num_key_value_heads": 2, "head_dim": 16, "global_head_dim": 32, "vocab_size": 500,
  "vocab_size_per_layer_input": 500, "hidden_size_per_layer_input": 8, "num_kv_shared_layers": 2,
  "layer_types": ["sliding_attention", "full_attention", "sliding_attention", "full_attention"]})";

Program program_of(const char* config, int64_t sequence) {
  ConfigOptions options;
  options.sequence = sequence;
  const auto graph = import_config_text(config, options);
  EXPECT_TRUE(graph.ok()) << graph.error().line();
  auto program = bind(*graph, {});
  EXPECT_TRUE(program.ok()) << program.error().line();
  return *std::move(program);
}

TEST(Pictures, StandInTheText) {
  // More tokens than the picture's 256, as many, fewer: the text keeps its length.
  for (const int64_t sequence : {300, 256, 16}) {
    const Program program = program_of(kQwen, sequence);
    EXPECT_EQ(program.value(program.outputs[0]).type->shape, (Shape{1, sequence, 500}));
  }
}

TEST(Pictures, AreNotReadAgainForEveryToken) {
  const auto network = served_network(program_of(kQwen, 300));
  ASSERT_TRUE(network.ok()) << network.error().line();
  EXPECT_EQ(network->layers.size(), 3u);  // the two of the encoder keep no cache
  EXPECT_EQ(network->blocks, 3);
  double params = 0;
  const Program program = program_of(kQwen, 300);
  for (const auto& value : program.values)
    if (value.role == Role::parameter) params += double(value.type->elements().value());
  EXPECT_EQ(network->params(), params);
  // Queries, keys, values, output and the three matrices of the MLP.
  EXPECT_EQ(network->macs_per_token(), 3 * (64 * 64 * 2 + 64 * 32 * 2 + 3 * 64 * 128));
}

TEST(Pictures, LeaveHeadsAndWidthToTheText) {
  ConfigOptions options;
  options.sequence = 300;
  const auto graph = import_config_text(kQwen, options);
  ASSERT_TRUE(graph.ok());
  TrainingSetup setup;
  setup.tuning = *parse_tuning("method", "full");
  setup.optimizer = *find_token_optimizer("optimizer", "adamw");
  const auto form = token_form(*graph, setup);
  ASSERT_TRUE(form.ok()) << form.error().line();
  EXPECT_EQ(form->heads, 4);
  EXPECT_EQ(form->kv_heads, 2);
  EXPECT_EQ(form->width, 64);
}

std::string failure_with(std::string config, const std::string& was, const std::string& is) {
  const size_t at = config.find(was);
  EXPECT_NE(at, std::string::npos) << was;
  const auto graph = import_config_text(config.replace(at, was.size(), is));
  EXPECT_FALSE(graph.ok()) << is;
  return graph.ok() ? "" : graph.error().line();
}

TEST(Pictures, MistakesOfTheirPartGetOneLine) {
  const auto says = [](const std::string& was, const std::string& is, const std::string& expected) {
    const std::string line = failure_with(kQwen, was, is);
    EXPECT_NE(line.find(expected), std::string::npos) << line;
  };
  says("\"depth\": 2", "\"depth\": -2", "'vision_config.depth' is -2, expected a whole number from 1");
  says("\"num_heads\": 2", "\"num_heads\": 3", "num_attention_heads is 3, which does not divide hidden_size 32");
  says("\"out_hidden_size\": 64", "\"out_hidden_size\": 60", "does not end in the width of the text");
  says("\"depth\": 2", "\"depth\": 2, \"spatial_merge_size\": 7", "spatial_merge_size is 7, which does not divide");
  says("\"depth\": 2", "\"depth\": 2, \"num_extra_layers\": 7", "'vision_config.num_extra_layers' is not understood");
}

TEST(SharedLayers, AreBoundedTogether) {
  constexpr const char* kAlbert = R"({"architectures": ["AlbertModel"], "model_type": "albert", "hidden_size": 64,
    "num_attention_heads": 4, "intermediate_size": 128, "num_hidden_layers": 12, "inner_group_num": 1})";
  EXPECT_NE(failure_with(kAlbert, "\"inner_group_num\": 1", "\"inner_group_num\": 1000000000").find("at most 10000"),
            std::string::npos);
}

// Each pair of tokens takes its own row of distances: with one table for all layers a longer text stays affordable.
TEST(RelativeDistances, AreTakenForEveryPair) {
  constexpr const char* kDeberta = R"({"architectures": ["DebertaV2Model"], "model_type": "deberta-v2",
    "hidden_size": 32, "num_attention_heads": 2, "intermediate_size": 64, "num_hidden_layers": 2, "vocab_size": 100,
    "relative_attention": true, "position_buckets": 8, "share_att_key": true, "pos_att_type": ["c2p", "p2c"],
    "norm_rel_ebd": "layer_norm", "position_biased_input": false})";
  const Program program = program_of(kDeberta, 24);
  EXPECT_EQ(program.value(program.outputs[0]).type->shape, (Shape{1, 24, 32}));
  ConfigOptions options;
  options.sequence = 100'000;
  const auto graph = import_config_text(kDeberta, options);
  ASSERT_FALSE(graph.ok());
  EXPECT_NE(graph.error().line().find("expected at most 4096"), std::string::npos) << graph.error().line();
}

TEST(DeltaRule, KeepsAStateInPlaceOfACache) {
  const TokenWeight weight = token_weight(program_of(kNext, 32), Macs(0));
  ASSERT_EQ(weight.caches.size(), 2u);
  EXPECT_EQ(weight.caches[0].kind, "state");
  EXPECT_EQ(weight.caches[0].layers, 2);
  EXPECT_EQ(weight.caches[0].fixed, Bytes(2 * 4 * 8 * 16 * 4));  // heads × key × value, f32
  EXPECT_EQ(weight.cache_per_token, Bytes(2 * 2 * 16 * 4));
}

TEST(SharedKeys, AreCachedOnce) {
  const TokenWeight weight = token_weight(program_of(kGemma4, 32), Macs(0));
  EXPECT_EQ(weight.cache_per_token, Bytes((2 * 2 * 16 + 2 * 2 * 32) * 4));
  const auto network = served_network(program_of(kGemma4, 32));
  ASSERT_TRUE(network.ok()) << network.error().line();
  double numbers = 0;
  for (const auto& layer : network->layers) numbers += layer.keys_and_values();
  EXPECT_EQ(numbers, 2 * 2 * 16 + 2 * 2 * 32);
}

}  // namespace
}  // namespace plimsoll
