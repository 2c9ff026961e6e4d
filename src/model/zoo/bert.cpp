// BERT base, uncased (Devlin 2018), with the pooler: 109,482,240 parameters. One input, the tokens: every
// token is of type 0 and none is padding. Without --classes it answers with the pooled vector; with them
// a dropout and a linear layer follow.
#include <fmt/format.h>

#include "model/zoo/all_models.h"
#include "model/zoo/attention_layer.h"

namespace plimsoll {
namespace {

constexpr int64_t kVocabulary = 30'522, kPositions = 512, kTypes = 2, kWidth = 768, kHidden = 3072, kLayers = 12,
                  kHeads = 12;
constexpr double kEpsilon = 1e-12, kDropout = 0.1;

ValueId embeddings(Builder& b, int64_t tokens) {
  const auto scope = b.enter("embeddings");
  ValueId x = b.embedding("word_embeddings", b.input(), kVocabulary, kWidth);
  const ValueId types = b.parameter("token_type_embeddings.weight", {kTypes, kWidth});
  const ValueId type = b.apply("token_type_embeddings", "gather",
                               {types, b.constant("token_type", integer_tensor({0}))}, {{"axis", int64_t{0}}});
  x = b.add("add_type", x, type);
  x = b.add("add_position", x, learned_positions(b, "position_embeddings", tokens, kPositions, kWidth));
  return b.dropout("dropout", b.layer_norm("LayerNorm", x, kEpsilon), kDropout);
}

// What follows both halves of a layer: linear, dropout, the residual, layer norm.
ValueId output(Builder& b, const std::string& name, ValueId x, ValueId residual) {
  const auto scope = b.enter(name);
  x = b.dropout("dropout", b.linear("dense", x, kWidth), kDropout);
  return b.layer_norm("LayerNorm", b.add("add", x, residual), kEpsilon);
}

ValueId self_attention(Builder& b, ValueId x) {
  const auto scope = b.enter("attention.self");
  const ValueId q = b.linear("query", x, kWidth);
  const ValueId k = b.linear("key", x, kWidth);
  const ValueId v = b.linear("value", x, kWidth);
  return attention(b, q, k, v, {.width = kWidth, .heads = kHeads, .dropout = kDropout});
}

ValueId layer(Builder& b, ValueId x) {
  x = output(b, "attention.output", self_attention(b, x), x);
  const ValueId hidden = b.apply("intermediate.gelu", "gelu", {b.linear("intermediate.dense", x, kHidden)});
  return output(b, "output", hidden, x);
}

Result<Graph> build_bert_base(const ZooModel& self, const Shape& input, int64_t classes) {
  Builder b(std::string(self.name), input, DType::i64);
  ValueId x = embeddings(b, input[0]);
  for (int64_t i = 0; i < kLayers; ++i) {
    const auto scope = b.enter(fmt::format("encoder.layer.{}", i));
    x = layer(b, x);
  }
  x = b.apply("pooler.first_token", "gather", {x, b.constant("pooler.index", integer_scalar(0))},
              {{"axis", int64_t{1}}});
  x = b.apply("pooler.activation", "tanh", {b.linear("pooler.dense", x, kWidth)});
  if (classes > 0) x = b.linear("classifier", b.dropout("dropout", x, kDropout), classes);
  return b.finish(x);
}

}  // namespace

std::vector<ZooModel> bert_models() {
  return {{"bert_base", "BERT base, uncased, 512 tokens (Devlin 2018)", {512}, 0, DType::i64, build_bert_base}};
}

}  // namespace plimsoll
