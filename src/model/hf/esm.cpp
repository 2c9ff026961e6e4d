// ESM-2 (Lin 2023): an encoder of proteins with rotary or learned positions and norms before each half.
#include <fmt/format.h>

#include "model/hf/bert.h"

namespace plimsoll {
namespace {

constexpr int64_t kFirstPosition = 2;  // after the padding token's

struct EsmSpec {
  BertSpec bert;
  bool learned = true, norm_before = false;
};

EsmSpec read_esm(const Config& config) {
  EsmSpec spec;
  spec.bert = read_bert(config, 33);
  spec.bert.root = "esm";
  spec.bert.types = 0;
  DecoderSpec& encoder = spec.bert.encoder;
  encoder.block = BlockForm::sequential;
  encoder.norm_names = {"attention.LayerNorm", "LayerNorm"};
  encoder.final_norm = true;
  encoder.final_norm_name = "encoder.emb_layer_norm_after";
  const std::string positions = config.text("position_embedding_type", "absolute");
  spec.learned = positions == "absolute";
  if (!spec.learned && positions != "rotary")
    config.fail("position_embedding_type is " + positions + ", expected absolute or rotary");
  spec.norm_before = config.flag("emb_layer_norm_before", false);
  if (config.flag("is_folding_model", false)) config.fail("is_folding_model is true, and folding is not supported");
  for (auto& layer : encoder.layers)
    if (!spec.learned) layer.attention->rope = read_rope(config, layer.attention->head);
  config.ignore({"esmfold_config", "vocab_list", "token_dropout"});
  return spec;
}

ValueId embed_residues(Builder& b, const EsmSpec& spec, ValueId& words) {
  const auto scope = b.enter("esm.embeddings");
  const int64_t width = spec.bert.embedding, tokens = b.shape(b.input())[1];
  words = b.parameter("word_embeddings.weight", {spec.bert.encoder.vocabulary, width});
  ValueId x = b.apply("word_embeddings", "gather", {words, b.input()}, {{"axis", int64_t{0}}});
  if (spec.learned) {
    if (tokens + kFirstPosition > spec.bert.positions)
      b.fail(user_error(fmt::format("a sequence of {} tokens was asked for, the network has positions for {}", tokens,
                                    spec.bert.positions - kFirstPosition)));
    const ValueId table = b.parameter("position_embeddings.weight", {spec.bert.positions, width});
    const ValueId rows = b.apply("position_embeddings", "slice",
                                 {table, b.constant("positions.starts", integer_tensor({kFirstPosition})),
                                  b.constant("positions.ends", integer_tensor({kFirstPosition + tokens})),
                                  b.constant("positions.axes", integer_tensor({0}))});
    x = b.add("add_position", x, rows);
  }
  return spec.norm_before ? norm(b, "layer_norm", x, spec.bert.encoder.norm) : x;
}

// RoBERTa's head with one bias, which no other layer has.
ValueId residue_scores(Builder& b, const EsmSpec& spec, ValueId x, ValueId words) {
  x = activate(b, "lm_head.act", b.linear("lm_head.dense", x, spec.bert.encoder.width), "gelu");
  x = norm(b, "lm_head.layer_norm", x, spec.bert.encoder.norm);
  DecoderSpec head = spec.bert.encoder;
  head.head = "lm_head.decoder";
  x = language_head(b, head, x, words);
  return b.add("lm_head.add_bias", x, b.parameter("lm_head.bias", {head.vocabulary}));
}

}  // namespace

Result<Graph> build_esm(const Request& request) {
  const Config& config = request.config;
  const EsmSpec spec = read_esm(config);
  const int64_t labels = read_labels(config);
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(std::max<int64_t>(1, spec.bert.positions - kFirstPosition))}, DType::i64);
  ValueId words;
  ValueId x = embed_residues(b, spec, words);
  DecoderSpec encoder = spec.bert.encoder;
  encoder.root = "esm";
  x = decode_embedded(b, encoder, x);
  // Of all layers' attentions, which residues touch: stored in every file, asked for by few.
  const auto layers = int64_t(encoder.layers.size());
  b.parameter("esm.contact_head.regression.weight", {1, layers * encoder.layers[0].attention->heads});
  b.parameter("esm.contact_head.regression.bias", {1});
  if (request.ends_with("ForMaskedLM")) return b.finish(residue_scores(b, spec, x, words));
  if (request.ends_with("ForTokenClassification")) return b.finish(b.linear("classifier", x, labels));
  if (request.ends_with("ForSequenceClassification")) return b.finish(two_layer_classes(b, x, labels, "tanh"));
  return b.finish(pool_first(b, "esm", x));
}

}  // namespace plimsoll
