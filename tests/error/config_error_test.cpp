// Bad config.json files: each gets one line that says what is wrong. Row 60 of the list of bad inputs that the project
// keeps.
#include <gtest/gtest.h>

#include "model/hf/import_config.h"
#include "tests/error/onnx_failure.h"

namespace plimsoll {
namespace {

std::string failure_of_config(const std::string& text) {
  const auto graph = import_config_text(text);
  EXPECT_FALSE(graph.ok()) << text.substr(0, 200);
  return graph.ok() ? "" : graph.error().line();
}

// A small Llama with one part of its text replaced.
std::string llama_with(const std::string& was, const std::string& is) {
  std::string text =
      R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2,
          "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100})";
  const size_t at = text.find(was);
  EXPECT_NE(at, std::string::npos) << was;
  return text.replace(at, was.size(), is);
}

TEST(ConfigErrors, Row60Sizes) {
  PLIM_EXPECT_SAYS(failure_of_config(llama_with("\"hidden_size\": 64, ", "")), "'hidden_size' is missing");
  PLIM_EXPECT_SAYS(failure_of_config(llama_with("\"num_attention_heads\": 4", "\"num_attention_heads\": 5")),
                   "does not divide hidden_size");
  PLIM_EXPECT_SAYS(failure_of_config(llama_with("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 1e18")),
                   "'num_hidden_layers' is 1e+18, expected a whole number");
  PLIM_EXPECT_SAYS(failure_of_config(llama_with("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 100000")),
                   "expected at most 10000");
  PLIM_EXPECT_SAYS(failure_of_config(llama_with("\"num_hidden_layers\": 2", "\"num_hidden_layers\": \"12\"")),
                   "'num_hidden_layers' is \"12\", expected a whole number");
  PLIM_EXPECT_SAYS(failure_of_config(llama_with("\"vocab_size\": 100", "\"vocab_size\": -1")),
                   "'vocab_size' is -1, expected a whole number from 1");
  PLIM_EXPECT_SAYS(failure_of_config(llama_with("\"vocab_size\": 100", "\"vocab_size\": 0")), "'vocab_size' is 0");
  PLIM_EXPECT_SAYS(failure_of_config(llama_with("\"vocab_size\": 100", "\"vocab_size\": 2.5")), "'vocab_size' is 2.5");
  PLIM_EXPECT_SAYS(
      failure_of_config(llama_with("\"vocab_size\": 100", "\"vocab_size\": 100, \"num_key_value_heads\": 3")),
      "does not divide num_attention_heads");
  PLIM_EXPECT_SAYS(failure_of_config(llama_with("\"vocab_size\": 100", "\"vocab_size\": 100, \"rope_theta\": -1")),
                   "rope_theta");
  // Found by the fuzzer: a file of a kilobyte took half a minute and gigabytes.
  PLIM_EXPECT_SAYS(
      failure_of_config(llama_with("\"vocab_size\": 100", "\"vocab_size\": 100, \"head_dim\": 1000000000")),
      "a head has 1000000000 numbers, expected at most 65536");
  PLIM_EXPECT_SAYS(
      failure_of_config(
          R"({"model_type": "dinov3_vit", "hidden_size": 100000, "num_hidden_layers": 2, "num_attention_heads": 1})"),
      "a head has 100000 numbers, expected at most 65536");
  PLIM_EXPECT_SAYS(failure_of_config(R"({"model_type": "gemma3_text", "hidden_size": 64, "num_hidden_layers": 6,
                                         "head_dim": 2147483647})"),
                   "a head has 2147483647 numbers, expected at most 65536");
}

// Cut to a whole number 1e300 is none, and -4 or 0 was taken for 1.
TEST(ConfigErrors, MultiplesOfAWidth) {
  for (const std::string ratio : {"1e300", "-4", "0", "true"})
    PLIM_EXPECT_SAYS(failure_of_config(R"({"model_type": "dinov2", "hidden_size": 384, "num_hidden_layers": 2,
                                             "num_attention_heads": 6, "mlp_ratio": )" +
                                       ratio + "}"),
                     "'mlp_ratio' is ");
}

TEST(ConfigErrors, Row60Keys) {
  PLIM_EXPECT_SAYS(failure_of_config(llama_with("\"vocab_size\": 100", "\"vocab_size\": 100, \"num_experts\": 8")),
                   "the key 'num_experts' is not understood");
  PLIM_EXPECT_SAYS(failure_of_config(llama_with("\"vocab_size\": 100", "\"vocab_size\": 100, \"adapter_rank\": 8")),
                   "the key 'adapter_rank' is not understood");
  PLIM_EXPECT_SAYS(failure_of_config(llama_with("\"vocab_size\": 100", "\"vocab_size\": 100, \"vocab_size\": 101")),
                   "'vocab_size' appears twice");
  PLIM_EXPECT_SAYS(failure_of_config(llama_with("\"vocab_size\": 100", "\"hidden_act\": \"sine\"")),
                   "the activation 'sine' is not known");
  PLIM_EXPECT_SAYS(failure_of_config(llama_with("LlamaForCausalLM", "NoSuchForCausalLM")),
                   "the architecture 'NoSuchForCausalLM' is not known (export it as .onnx, which works)");
  PLIM_EXPECT_SAYS(failure_of_config(llama_with("LlamaForCausalLM", "LlamaForPainting")), "is not known");
  PLIM_EXPECT_SAYS(failure_of_config(R"({"model_type": "no_such"})"), "the architecture 'no_such' is not known");
  PLIM_EXPECT_SAYS(failure_of_config(llama_with("[\"LlamaForCausalLM\"]", "7")), "'architectures' is 7");
}

TEST(ConfigErrors, Row60Text) {
  PLIM_EXPECT_SAYS(failure_of_config(""), "expected JSON");
  PLIM_EXPECT_SAYS(failure_of_config("[1, 2]"), "not a JSON object");
  PLIM_EXPECT_SAYS(failure_of_config(std::string(100'000, '[')), "nested deeper");
  PLIM_EXPECT_SAYS(failure_of_config("\xEF\xBB\xBF{}"), "byte order mark");
  PLIM_EXPECT_SAYS(failure_of_config(std::string("\xFF\xFE{\0}\0", 6)), "byte order mark");
  PLIM_EXPECT_SAYS(failure_of_config(llama_with("\"vocab_size\": 100", "\"initializer_range\": NaN")), "expected JSON");
  PLIM_EXPECT_SAYS(failure_of_config("{\"a\": \"\xC3\x28\"}"), "UTF-8");
  PLIM_EXPECT_SAYS(failure_of_config("{\"a\": 1"), "the end of the file");
}

TEST(ConfigErrors, WhatTheNetworkCannotBe) {
  PLIM_EXPECT_SAYS(failure_of_config(R"({"model_type": "helium", "hidden_size": 64, "num_hidden_layers": 1,
                                         "num_attention_heads": 4, "num_key_value_heads": 4, "head_dim": 32})"),
                   "num_attention_heads times head_dim is not hidden_size");
  PLIM_EXPECT_SAYS(failure_of_config(R"({"model_type": "xglm", "d_model": 64, "num_layers": 1, "attention_heads": 4,
                                         "add_cross_attention": true})"),
                   "add_cross_attention is true");
  PLIM_EXPECT_SAYS(failure_of_config(R"({"model_type": "voxtral", "text_config": {"hidden_size": 64}})"), "is missing");
  PLIM_EXPECT_SAYS(failure_of_config(R"({"_class_name": "UNet2DConditionModel", "only_cross_attention": true})"),
                   "only_cross_attention is set");
  PLIM_EXPECT_SAYS(failure_of_config(R"({"_class_name": "AutoencoderKL", "block_out_channels": [64, 128],
                                         "down_block_types": ["DownEncoderBlock2D"]})"),
                   "down_block_types has 1 names, expected one for each of 2 blocks");
}

TEST(ConfigErrors, PartsThatDoNotGoTogether) {
  PLIM_EXPECT_SAYS(failure_of_config(R"({"model_type": "vision-encoder-decoder",
                                         "encoder": {"model_type": "swin"}, "decoder": {"model_type": "trocr"}})"),
                   "the encoder is of the type 'swin', expected vit or deit");
  PLIM_EXPECT_SAYS(failure_of_config(R"({"model_type": "vision-encoder-decoder", "encoder": {}})"),
                   "the key 'decoder' is missing");
  PLIM_EXPECT_SAYS(failure_of_config(R"({"architectures": ["BlipTextModel"]})"), "its text part alone");
  PLIM_EXPECT_SAYS(failure_of_config(R"({"architectures": ["Owlv2Model"]})"), "its encoders alone");
  PLIM_EXPECT_SAYS(failure_of_config(R"({"_class_name": "SD3Transformer2DModel", "num_attention_heads": 24,
                                         "caption_projection_dim": 64})"),
                   "caption_projection_dim is not num_attention_heads times attention_head_dim");
  PLIM_EXPECT_SAYS(failure_of_config(R"({"model_type": "segformer", "depths": [2, 2]})"), "num_encoder_blocks stages");
  PLIM_EXPECT_SAYS(failure_of_config(R"({"model_type": "glm4v", "text_config": {"hidden_size": 64},
                                         "vision_config": {"out_hidden_size": 32}})"),
                   "out_hidden_size is not hidden_size");
  PLIM_EXPECT_SAYS(failure_of_config(R"({"model_type": "wav2vec2-bert", "add_adapter": true})"), "add_adapter is true");
}

// As Python's json writes it: "time_step_limit": [0.0, Infinity] stands in most files of Mamba 2 and Nemotron-H.
TEST(Config, InfinityIsALimitThatThereIsNot) {
  const auto with = [](const std::string& more) {
    return import_config_text(R"({"model_type": "mamba2", "hidden_size": 64, "num_hidden_layers": 1, "num_heads": 4,
                                  "head_dim": 32, "state_size": 16, "n_groups": 1, "vocab_size": 100)" +
                              more + "}");
  };
  const auto plain = with("");
  const auto limited = with(R"(, "time_step_limit": [0.0, Infinity], "name": "a \" Infinity")");
  ASSERT_TRUE(plain.ok()) << plain.error().line();
  ASSERT_TRUE(limited.ok()) << limited.error().line();
  EXPECT_EQ(limited->nodes.size(), plain->nodes.size());
  PLIM_EXPECT_SAYS(failure_of_config(llama_with("\"vocab_size\": 100", "\"vocab_size\": Infinity")),
                   "'vocab_size' is 1e+308, expected a whole number");
}

TEST(ConfigErrors, Sequence) {
  for (const int64_t sequence : {int64_t{0}, int64_t{-1}, int64_t{1'000'000'000}}) {
    const auto graph = import_config_text(llama_with("100", "100"), {.sequence = sequence});
    ASSERT_FALSE(graph.ok());
    PLIM_EXPECT_SAYS(graph.error().line(), "expected from 1 to");
  }
  const auto gpt2 = R"({"model_type": "gpt2", "n_embd": 64, "n_layer": 1, "n_head": 4, "n_positions": 32})";
  const auto graph = import_config_text(gpt2, {.sequence = 33});
  ASSERT_FALSE(graph.ok());
  PLIM_EXPECT_SAYS(graph.error().line(), "positions for 32");
}

TEST(Config, CodeThatComesWithAModelIsIgnoredAndSaidSo) {
  const auto graph = import_config_text(
      llama_with("\"vocab_size\": 100", R"("vocab_size": 100, "auto_map": {"AutoModel": "evil.Model"})"));
  ASSERT_TRUE(graph.ok()) << graph.error().line();
  ASSERT_EQ(graph->notes.size(), 1U);
  EXPECT_NE(graph->notes[0].find("auto_map is ignored"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
