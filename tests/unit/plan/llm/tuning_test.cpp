#include "plan/llm/tuning.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(Tuning, IsReadAndWritten) {
  for (const char* text : {"full", "lora:8:q,v", "qlora:16:q,k,v,o,gate,up,down", "dora:4:all", "freeze:*embed*"}) {
    const auto tuning = parse_tuning("method", text);
    ASSERT_TRUE(tuning.ok()) << tuning.error().line();
    EXPECT_EQ(text_of(*tuning), text);
  }
  EXPECT_EQ(text_of(*parse_tuning("method", "lora")), "lora:16:q,v");
  EXPECT_EQ(text_of(*parse_tuning("method", "lora:4")), "lora:4:q,v");
}

TEST(Tuning, KnowsLayersByTheirNames) {
  using Names = std::vector<std::string_view>;
  EXPECT_EQ(targets_of("model.layers.3.self_attn.q_proj"), Names{"q"});
  EXPECT_EQ(targets_of("transformer.h.3.attn.c_attn"), (Names{"q", "k", "v"}));
  EXPECT_EQ(targets_of("transformer.h.3.attn.c_proj"), Names{"o"});
  EXPECT_EQ(targets_of("transformer.h.3.mlp.c_proj"), Names{"down"});
  EXPECT_EQ(targets_of("bert.encoder.layer.3.attention.output.dense"), Names{"o"});
  EXPECT_EQ(targets_of("bert.encoder.layer.3.output.dense"), Names{"down"});
  EXPECT_EQ(targets_of("model.layers.3.input_layernorm"), Names{});
}

TEST(Tuning, StarsStandForAnything) {
  EXPECT_TRUE(matches("*embed*", "model.embed_tokens.weight"));
  EXPECT_TRUE(matches("embed", "model.embed_tokens.weight"));
  EXPECT_TRUE(matches("model.*.weight", "model.embed_tokens.weight"));
  EXPECT_FALSE(matches("*.bias", "model.embed_tokens.weight"));
  EXPECT_FALSE(matches("layers.*", "model.layers.1"));
  EXPECT_TRUE(matches("*layers.1*", "model.layers.12"));
}

}  // namespace
}  // namespace plimsoll
