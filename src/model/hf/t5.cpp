// T5 (Raffel 2020), its versions 1.1 (gated) and mT5: an encoder and a decoder with positions as a bias of the scores,
// shared by all layers of each. In umT5 (Chung 2023) every layer has its own.
#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "model/hf/request.h"

namespace plimsoll {
namespace {

struct T5Spec {
  DecoderSpec encoder, decoder;
  int64_t buckets = 32, distance = 128;
  bool scaled = true;         // before the head
  bool bias_in_each = false;  // layer
};

AttentionSpec t5_attention(int64_t heads, int64_t head) {
  AttentionSpec attention{.heads = heads, .kv_heads = heads, .head = head};
  attention.q = "q";
  attention.k = "k";
  attention.v = "v";
  attention.o = "o";
  attention.scale = 1;
  attention.upcast = false;
  return attention;
}

// "gated-gelu" is gelu_new with a gate; "relu" has none.
FeedForwardSpec t5_feed_forward(const Config& config, int64_t width, const std::string& fallback) {
  const std::string stated = config.text("feed_forward_proj", fallback);
  const bool names_gate = stated.starts_with("gated-");
  FeedForwardSpec spec{.width = width, .gate = "wi_0", .up = "wi_1", .down = "wo"};
  spec.gated = config.flag("is_gated_act", names_gate);
  if (!spec.gated) spec.up = "wi";
  spec.activation = stated == "gated-gelu" ? "gelu_new" : stated.substr(names_gate ? 6 : 0);
  if (spec.activation != "gelu_new" && spec.activation != "relu" && spec.activation != "silu" &&
      spec.activation != "gelu")
    config.fail(fmt::format("feed_forward_proj is {}, expected relu or gated-gelu", in_quotes(stated)));
  config.ignore({"dense_act_fn"});
  return spec;
}

T5Spec read_t5(const Config& config, bool multilingual) {
  T5Spec spec;
  DecoderSpec& e = spec.encoder;
  e.vocabulary = config.size("vocab_size", multilingual ? 250'112 : 32'128);
  e.width = config.size("d_model|hidden_size");
  e.norm = {NormKind::rms, config.number("layer_norm_epsilon", 1e-6), "t5"};
  e.root = "encoder";
  e.layers_name = "block";
  e.final_norm_name = "final_layer_norm";
  e.norm_names = {"layer.0.layer_norm", "layer.1.layer_norm"};
  const int64_t heads = config.size("num_heads|num_attention_heads", multilingual ? 6 : 8),
                head = config.size("d_kv|head_dim", 64);
  LayerSpec layer;
  layer.attention = t5_attention(heads, head);
  layer.attention->causal = false;
  layer.mlp =
      t5_feed_forward(config, config.size("d_ff", multilingual ? 1024 : 2048), multilingual ? "gated-gelu" : "relu");
  layer.mixer_scope = "layer.0.SelfAttention";
  layer.mlp_scope = "layer.1.DenseReluDense";
  const int64_t layers = read_layer_count(config, "num_layers|num_hidden_layers");
  e.layers.assign(size_t(layers), layer);
  spec.decoder = e;
  spec.decoder.root = "decoder";
  spec.decoder.norm_names[1] = "layer.2.layer_norm";
  spec.decoder.cross_norm = "layer.1.layer_norm";
  layer.attention->causal = true;
  layer.cross = t5_attention(heads, head);
  layer.cross->causal = false;
  layer.cross_scope = "layer.1.EncDecAttention";
  layer.mlp_scope = "layer.2.DenseReluDense";
  spec.decoder.layers.assign(size_t(read_layer_count(config, "num_decoder_layers", layers)), layer);
  spec.buckets = config.size("relative_attention_num_buckets", 32);
  spec.distance = config.size("relative_attention_max_distance", 128);
  spec.scaled = config.flag("tie_word_embeddings", true);
  config.ignore({"output_past", "n_positions"});
  return spec;
}

ValueId position_bias(Builder& b, const T5Spec& spec, const std::string& root, size_t layer, int64_t tokens,
                      bool bidirectional) {
  const std::string name = fmt::format("{}.block.{}.layer.0.SelfAttention.relative_attention_bias", root, layer);
  const ValueId table = b.parameter(name + ".weight", {spec.buckets, spec.encoder.layers[0].attention->heads});
  return b.apply(name, "relative_bias", {table},
                 {{"queries", tokens},
                  {"keys", tokens},
                  {"max_distance", spec.distance},
                  {"bidirectional", int64_t{bidirectional}}});
}

ValueId run_stack(Builder& b, const T5Spec& spec, bool encoder, ValueId words, ValueId tokens, ValueId memory) {
  const DecoderSpec& stack = encoder ? spec.encoder : spec.decoder;
  const int64_t length = b.shape(tokens)[1];
  const ValueId table = b.alias(stack.root + ".embed_tokens.weight", words);
  const ValueId x = b.apply(stack.root + ".embed_tokens", "gather", {table, tokens}, {{"axis", int64_t{0}}});
  Surroundings around;
  around.memory = memory;
  const size_t tables = spec.bias_in_each ? stack.layers.size() : 1;
  for (size_t i = 0; i < tables; ++i)
    around.score_biases.push_back(position_bias(b, spec, stack.root, i, length, encoder));
  return decode_embedded(b, stack, x, around);
}

}  // namespace

Result<Graph> build_t5(const Request& request) {
  const Config& config = request.config;
  const bool each = request.architecture.starts_with("UMT5");
  T5Spec spec = read_t5(config, each || request.architecture.starts_with("MT5"));
  spec.bias_in_each = each;
  const int64_t labels = read_labels(config);
  const int64_t tokens = request.tokens(config.size("n_positions", 512));
  PLIM_TRY(config.finish());
  Builder b(request.name, {tokens}, DType::i64);
  const ValueId words = b.parameter("shared.weight", {spec.encoder.vocabulary, spec.encoder.width});
  const ValueId memory = run_stack(b, spec, true, words, b.input(), {});
  if (request.ends_with("EncoderModel")) return b.finish(memory);
  if (request.ends_with("ForTokenClassification")) return b.finish(b.linear("classifier", memory, labels));
  ValueId x = run_stack(b, spec, false, words, b.add_input("decoder_input", {tokens}, DType::i64), memory);
  if (request.ends_with("ForSequenceClassification")) {
    x = b.apply("last_token", "gather", {x, b.constant("last_token.index", integer_scalar(-1))},
                {{"axis", int64_t{1}}});
    x = b.apply("classification_head.tanh", "tanh", {b.linear("classification_head.dense", x, spec.encoder.width)});
    return b.finish(b.linear("classification_head.out_proj", x, labels));
  }
  if (request.ends_with("ForQuestionAnswering")) return b.finish(b.linear("qa_outputs", x, labels));
  if (request.is_model_alone()) return b.finish(x);
  DecoderSpec head = spec.decoder;
  // Today's class ties its head always; the flag only says whether the states are scaled before it.
  head.tied = true;
  head.logit_scale = spec.scaled ? 1 / std::sqrt(double(head.width)) : 1;
  return b.finish(language_head(b, head, x, words));
}

}  // namespace plimsoll
