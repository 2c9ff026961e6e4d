// Encoders of text that have taken over what decoders learnt since BERT: rotary positions and gated MLPs. EuroBERT
// (Boizard 2025) and Nomic BERT (Nussbaum 2024).
#include "model/hf/bert.h"
#include "model/hf/llama.h"

namespace plimsoll {

Result<Graph> build_eurobert(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.width = 768, .layers = 12, .inner = 3072, .heads = 12, .vocabulary = 128'256};
  defaults.epsilon = 1e-5;
  DecoderSpec spec = read_llama(config, defaults);
  for (auto& layer : spec.layers) layer.attention->causal = false;
  spec.head_bias = config.flag("mlp_bias", false);
  const int64_t labels = read_labels(config), positions = read_positions(config, 8192);
  const bool words_alone = request.ends_with("ForMaskedLM");
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(positions)}, DType::i64);
  ValueId words;
  ValueId x = decode(b, spec, b.input(), words);
  if (words_alone) return b.finish(language_head(b, spec, x, words));
  if (request.ends_with("ForTokenClassification")) return b.finish(b.linear("classifier", x, labels));
  if (!request.ends_with("ForSequenceClassification")) return b.finish(x);
  x = activate(b, "activation", b.linear("dense", first_token(b, x), spec.width), "gelu");
  return b.finish(b.linear("classifier", x, labels));
}

Result<Graph> build_nomic_bert(const Request& request) {
  const Config& config = request.config;
  BertSpec spec = read_bert(config, 30'528);
  spec.root = "nomic_bert";
  spec.has_positions = false;
  DecoderSpec& encoder = spec.encoder;
  encoder.layers_name = "layers";
  encoder.norm_names = {"post_attention_layernorm", "post_mlp_layernorm"};
  const int64_t head = config.size("head_dim", encoder.layers[0].attention->head);
  if (head > encoder.width) config.fail("head_dim is more than hidden_size");
  const auto rope = read_rope(config, head, {.theta = 1000});
  const std::string activation = read_activation(config, "hidden_act", "silu");
  for (auto& layer : encoder.layers) {
    AttentionSpec plain{.heads = layer.attention->heads, .kv_heads = layer.attention->heads, .head = head};
    plain.causal = false;
    plain.rope = rope;
    layer.attention = plain;
    layer.mixer_scope = "self_attn";
    layer.mlp = FeedForwardSpec{.width = layer.mlp->width};
    layer.mlp->activation = activation;
    layer.mlp_scope = "mlp";
  }
  const int64_t labels = read_labels(config);
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(spec.positions)}, DType::i64);
  ValueId words;
  ValueId x = encode_bert(b, spec, words, 0);
  if (request.ends_with("ForMaskedLM")) {
    x = activate(b, "cls.predictions.transform.act", b.linear("cls.predictions.transform.dense", x, encoder.width),
                 activation);
    x = norm(b, "cls.predictions.transform.layer_norm", x, encoder.norm);
    return b.finish(word_scores(b, "cls.predictions.decoder", encoder, x, words, "cls.predictions.bias"));
  }
  if (request.ends_with("ForTokenClassification")) return b.finish(b.linear("classifier", x, labels));
  if (request.ends_with("ForSequenceClassification"))
    return b.finish(b.linear("classifier", pool_first(b, spec.root, x), labels));
  return b.finish(x);
}

}  // namespace plimsoll
