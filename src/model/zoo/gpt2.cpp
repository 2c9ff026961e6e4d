// GPT-2, the smallest (Radford 2019): 124,439,808 parameters. The output layer reads the embedding table
// again, so that it counts once; classes are the words of the vocabulary.
#include <fmt/format.h>

#include <limits>

#include "model/zoo/all_models.h"
#include "model/zoo/attention_layer.h"

namespace plimsoll {
namespace {

constexpr int64_t kPositions = 1024, kWidth = 768, kHidden = 3072, kLayers = 12, kHeads = 12;
constexpr double kDropout = 0.1;

// Tokens × tokens: a token sees itself and those before it.
Tensor causal_mask(int64_t tokens) {
  std::vector<float> mask(size_t(tokens * tokens), 0);
  for (int64_t row = 0; row < tokens; ++row)
    for (int64_t column = row + 1; column < tokens; ++column)
      mask[size_t(row * tokens + column)] = -std::numeric_limits<float>::infinity();
  return float_tensor({tokens, tokens}, mask);
}

ValueId self_attention(Builder& b, ValueId x, ValueId mask) {
  const auto scope = b.enter("attn");
  const auto qkv = project_qkv(b, "c_attn", x, kWidth);
  x = attention(b, qkv[0], qkv[1], qkv[2], {.width = kWidth, .heads = kHeads, .mask = mask, .dropout = kDropout});
  return b.dropout("resid_dropout", b.linear("c_proj", x, kWidth), kDropout);
}

ValueId feed_forward(Builder& b, ValueId x) {
  const auto scope = b.enter("mlp");
  x = b.apply("act", "gelu", {b.linear("c_fc", x, kHidden)}, {{"approximate", std::string("tanh")}});
  return b.dropout("dropout", b.linear("c_proj", x, kWidth), kDropout);
}

Result<Graph> build_gpt2(const ZooModel& self, const Shape& input, int64_t vocabulary) {
  Builder b(std::string(self.name), input, DType::i64);
  const int64_t tokens = input[0];
  const ValueId words = b.parameter("wte.weight", {vocabulary, kWidth});
  ValueId x = b.apply("wte", "gather", {words, b.input()}, {{"axis", int64_t{0}}});
  x = b.add("add_position", x, learned_positions(b, "wpe", tokens, kPositions, kWidth));
  if (b.failed()) return b.finish(x);  // before a mask of a size that nobody meant
  const ValueId mask = b.constant("mask", causal_mask(tokens));
  x = b.dropout("drop", x, kDropout);
  for (int64_t i = 0; i < kLayers; ++i) {
    const auto scope = b.enter(fmt::format("h.{}", i));
    x = b.add("add_1", x, self_attention(b, b.layer_norm("ln_1", x), mask));
    x = b.add("add_2", x, feed_forward(b, b.layer_norm("ln_2", x)));
  }
  x = b.reshape("flatten", b.layer_norm("ln_f", x), {-1, kWidth});
  x = b.apply("lm_head", "gemm", {x, words}, {{"transB", int64_t{1}}});
  return b.finish(b.reshape("logits", x, {-1, tokens, vocabulary}));
}

}  // namespace

std::vector<ZooModel> gpt2_models() {
  return {{"gpt2", "GPT-2, 124 M parameters, 1024 tokens (Radford 2019)", {1024}, 50'257, DType::i64, build_gpt2}};
}

}  // namespace plimsoll
