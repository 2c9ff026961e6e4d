// BART (Lewis 2019), mBART (Liu 2020), and Whisper (Radford 2022), whose encoder reads a spectrogram through two
// convolutions. Encoder and decoder with learned positions and biases.
#include <fmt/format.h>

#include <cmath>

#include "model/hf/request.h"

namespace plimsoll {
namespace {

struct PairSpec {
  DecoderSpec encoder, decoder;
  std::string activation;
};

LayerSpec pair_layer(const Config& config, int64_t width, int64_t heads, int64_t inner, const std::string& activation) {
  if (width % heads != 0) config.fail(fmt::format("{} attention heads do not divide d_model {}", heads, width));
  LayerSpec layer;
  layer.attention =
      AttentionSpec{.heads = heads, .kv_heads = heads, .head = std::max<int64_t>(1, width / heads), .bias = true};
  layer.attention->o = "out_proj";
  layer.attention->upcast = layer.attention->causal = false;
  layer.mlp = FeedForwardSpec{
      .width = inner, .gated = false, .bias = true, .activation = activation, .up = "fc1", .down = "fc2"};
  layer.mlp_scope = "";
  return layer;
}

struct PairDefaults {
  int64_t layers, inner, heads;
};

PairSpec read_pair(const Config& config, const PairDefaults& defaults, Block block) {
  PairSpec spec;
  DecoderSpec& e = spec.encoder;
  e.width = config.size("d_model|hidden_size");
  spec.activation = read_activation(config, "activation_function", "gelu");
  e.norm = {NormKind::layer, 1e-5, ""};
  e.block = block;
  e.root = "model.encoder";
  e.norm_names = {"self_attn_layer_norm", "final_layer_norm"};
  e.final_norm_name = "layer_norm";
  e.final_norm = block == Block::sequential;
  spec.decoder = e;
  spec.decoder.root = "model.decoder";
  const LayerSpec in = pair_layer(config, e.width, config.size("encoder_attention_heads", defaults.heads),
                                  config.size("encoder_ffn_dim", defaults.inner), spec.activation);
  LayerSpec out = pair_layer(config, e.width, config.size("decoder_attention_heads", defaults.heads),
                             config.size("decoder_ffn_dim", defaults.inner), spec.activation);
  out.cross = out.attention;
  out.attention->causal = true;
  e.layers.assign(size_t(read_layer_count(config, "encoder_layers|num_hidden_layers", defaults.layers)), in);
  spec.decoder.layers.assign(size_t(read_layer_count(config, "decoder_layers", defaults.layers)), out);
  config.ignore({"num_hidden_layers", "num_attention_heads", "num_key_value_heads"});
  return spec;
}

ValueId embed(Builder& b, const DecoderSpec& spec, ValueId words, ValueId tokens) {
  const ValueId table = b.alias(spec.root + ".embed_tokens.weight", words);
  return scaled_by(b, spec.root + ".embedding_scale",
                   b.apply(spec.root + ".embed_tokens", "gather", {table, tokens}, {{"axis", int64_t{0}}}),
                   spec.embedding_scale);
}

}  // namespace

Result<Graph> build_bart(const Request& request) {
  const Config& config = request.config;
  const bool before = request.architecture.starts_with("MBart");
  PairSpec spec = read_pair(config, {12, 4096, 16}, before ? Block::sequential : Block::norm_of_sum);
  const int64_t vocabulary = config.size("vocab_size", 50'265),
                positions = config.size("max_position_embeddings", 1024);
  const bool tied = config.flag("tie_word_embeddings", true), scaled = config.flag("scale_embedding", false);
  for (DecoderSpec* half : {&spec.encoder, &spec.decoder}) {
    half->vocabulary = vocabulary;
    half->learned_positions = positions;
    half->position_offset = 2;
    half->embedding_norm = true;
    half->embedding_norm_name = "layernorm_embedding";
    half->embedding_scale = scaled ? std::sqrt(double(half->width)) : 1;
    half->tied = tied;
  }
  config.ignore({"normalize_before", "add_final_layer_norm", "add_bias_logits", "normalize_embedding",
                 "static_position_embeddings", "extra_pos_embeddings"});
  const int64_t labels = config.has("num_labels") || config.length("id2label") > 0 ? read_labels(config) : 3;
  PLIM_TRY(config.finish());
  const int64_t tokens = request.tokens(positions);
  Builder b(request.name, {tokens}, DType::i64);
  const ValueId words = b.parameter("model.shared.weight", {vocabulary, spec.encoder.width});
  const ValueId memory = decode_embedded(b, spec.encoder, embed(b, spec.encoder, words, b.input()));
  const ValueId second = b.add_input("decoder_input", {tokens}, DType::i64);
  ValueId x = decode_embedded(b, spec.decoder, embed(b, spec.decoder, words, second), {memory, {}});
  if (request.ends_with("ForSequenceClassification")) {
    x = b.apply("last_token", "gather", {x, b.constant("last_token.index", integer_scalar(-1))},
                {{"axis", int64_t{1}}});
    x = b.apply("classification_head.tanh", "tanh", {b.linear("classification_head.dense", x, spec.encoder.width)});
    return b.finish(b.linear("classification_head.out_proj", x, labels));
  }
  if (request.ends_with("ForQuestionAnswering")) return b.finish(b.linear("qa_outputs", x, 2));
  if (request.is_model_alone()) return b.finish(x);
  x = language_head(b, spec.decoder, x, words);
  return b.finish(b.add("add_logits_bias", x, b.buffer("final_logits_bias", {1, vocabulary})));
}

Result<Graph> build_whisper(const Request& request) {
  const Config& config = request.config;
  PairSpec spec = read_pair(config, {4, 1536, 6}, Block::sequential);
  for (DecoderSpec* half : {&spec.encoder, &spec.decoder})
    for (auto& layer : half->layers) {
      layer.attention->key_bias = false;
      if (layer.cross) layer.cross->key_bias = false;
    }
  const int64_t vocabulary = config.size("vocab_size", 51'865), bins = config.size("num_mel_bins", 80),
                frames = config.size("max_source_positions", 1500),
                positions = config.size("max_target_positions", 448), width = spec.encoder.width;
  spec.encoder.learned_positions = frames;
  spec.decoder.learned_positions = positions;
  spec.decoder.vocabulary = vocabulary;
  spec.decoder.tied = config.flag("tie_word_embeddings", true);
  spec.decoder.head = "proj_out";
  spec.decoder.embedding_scale = config.flag("scale_embedding", false) ? std::sqrt(double(width)) : 1;
  const bool audio_classes = request.ends_with("ForAudioClassification");
  const int64_t labels = read_labels(config), projected = config.size("classifier_proj_size", 256);
  config.ignore({"use_weighted_layer_sum", "median_filter_width", "mask_time_length", "mask_feature_length"});
  PLIM_TRY(config.finish());
  Builder b(request.name, {bins, 2 * frames});
  ValueId x;
  {
    const auto scope = b.enter("model.encoder");
    x = b.apply("gelu_1", "gelu", {b.conv("conv1", b.input(), width, {.kernel = {3}, .padding = {1}})});
    x = b.apply("gelu_2", "gelu", {b.conv("conv2", x, width, {.kernel = {3}, .stride = {2}, .padding = {1}})});
    x = b.transpose("channels_last", x, {0, 2, 1});
  }
  const ValueId memory = decode_embedded(b, spec.encoder, x);
  if (audio_classes) {
    x = b.apply("mean", "reduce_mean", {b.linear("projector", memory, projected)},
                {{"axes", Sizes{1}}, {"keepdims", int64_t{0}}});
    return b.finish(b.linear("classifier", x, labels));
  }
  const ValueId words = b.parameter("model.decoder.embed_tokens.weight", {vocabulary, width});
  const ValueId tokens = b.add_input("decoder_input", {request.tokens(positions)}, DType::i64);
  x = scaled_by(b, "model.decoder.embedding_scale",
                b.apply("model.decoder.embed_tokens", "gather", {words, tokens}, {{"axis", int64_t{0}}}),
                spec.decoder.embedding_scale);
  x = decode_embedded(b, spec.decoder, x, {memory, {}});
  if (request.is_model_alone()) return b.finish(x);
  return b.finish(language_head(b, spec.decoder, x, words));
}

}  // namespace plimsoll
