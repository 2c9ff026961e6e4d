// BART (Lewis 2019) and its kin, encoders and decoders with biases that differ in where they norm and how they number
// positions: mBART (Liu 2020), PLBART (Ahmad 2021), Blenderbot (Roller 2020), Marian (Junczys-Dowmunt 2018), Pegasus
// (Zhang 2019), M2M-100 and NLLB (Fan 2020). And Whisper (Radford 2022), whose encoder reads a spectrogram through two
// convolutions.
#include <fmt/format.h>

#include <algorithm>
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
  int64_t decoder_layers = 0;  // 0: as many
};

PairSpec read_pair(const Config& config, const PairDefaults& defaults, BlockForm block, const char* activation) {
  PairSpec spec;
  DecoderSpec& e = spec.encoder;
  e.width = config.size("d_model|hidden_size");
  spec.activation = read_activation(config, "activation_function", activation);
  e.norm = {NormKind::layer, 1e-5, ""};
  e.block = block;
  e.root = "model.encoder";
  e.norm_names = {"self_attn_layer_norm", "final_layer_norm"};
  e.final_norm_name = "layer_norm";
  e.final_norm = block == BlockForm::sequential;
  spec.decoder = e;
  spec.decoder.root = "model.decoder";
  const LayerSpec in = pair_layer(config, e.width, config.size("encoder_attention_heads", defaults.heads),
                                  config.size("encoder_ffn_dim", defaults.inner), spec.activation);
  LayerSpec out = pair_layer(config, e.width, config.size("decoder_attention_heads", defaults.heads),
                             config.size("decoder_ffn_dim", defaults.inner), spec.activation);
  out.cross = out.attention;
  out.attention->causal = true;
  const int64_t out_layers = defaults.decoder_layers > 0 ? defaults.decoder_layers : defaults.layers;
  e.layers.assign(size_t(read_layer_count(config, "encoder_layers|num_hidden_layers", defaults.layers)), in);
  spec.decoder.layers.assign(size_t(read_layer_count(config, "decoder_layers", out_layers)), out);
  config.ignore({"num_hidden_layers", "num_attention_heads", "num_key_value_heads"});
  return spec;
}

// The one table, or a copy of its own where words are not tied.
ValueId embed_text(Builder& b, const DecoderSpec& spec, ValueId words, ValueId tokens) {
  const std::string name = spec.root + ".embed_tokens.weight";
  const ValueId table = spec.tied ? b.alias(name, words) : b.parameter(name, {spec.vocabulary, spec.width});
  return scaled_by(b, spec.root + ".embedding_scale",
                   b.apply(spec.root + ".embed_tokens", "gather", {table, tokens}, {{"axis", int64_t{0}}}),
                   spec.embedding_scale);
}

}  // namespace

namespace {

// `positions`: rows of the table beyond max_position_embeddings; kComputed: sines and cosines that are no parameters.
constexpr int64_t kComputed = -1;
struct BartKind {
  const char* prefix;  // of the architecture
  bool norms_before, norms_embedding;
  int64_t positions;
  bool biases_scores;
  int64_t vocabulary, most_tokens;
  PairDefaults usual;
  const char* activation;
};
constexpr BartKind kBartKinds[] = {
    {"MBart", true, true, 2, true, 50'265, 1024, {12, 4096, 16}, "gelu"},
    {"PLBart", false, true, 2, true, 50'005, 1024, {6, 3072, 12}, "gelu"},
    {"BlenderbotSmall", false, true, 0, true, 50'265, 512, {8, 2048, 16}, "gelu"},
    {"Blenderbot", true, false, 0, true, 8'008, 128, {2, 10'240, 32, 24}, "gelu"},
    {"Marian", false, false, 0, true, 58'101, 1024, {12, 4096, 16}, "gelu"},
    {"Pegasus", true, false, 0, true, 50'265, 1024, {12, 4096, 16}, "gelu"},
    {"M2M100", true, false, kComputed, false, 128'112, 1024, {12, 4096, 16}, "relu"},
    {"Bart", false, true, 2, true, 50'265, 1024, {12, 4096, 16}, "gelu"},
};

const BartKind& bart_kind(const Request& request) {
  const auto* found = std::find_if(std::begin(kBartKinds), std::end(kBartKinds),
                                   [&](const BartKind& kind) { return request.architecture.starts_with(kind.prefix); });
  return found == std::end(kBartKinds) ? kBartKinds[std::size(kBartKinds) - 1] : *found;
}

// The decoder alone, as a part of other networks: what its cross-attention reads comes in as an input.
Result<Graph> build_decoder_alone(const Request& request, const DecoderSpec& spec, int64_t positions, int64_t seen) {
  Builder b(request.name, {request.tokens(positions)}, DType::i64);
  const ValueId words = b.parameter(spec.root + ".embed_tokens.weight", {spec.vocabulary, spec.width});
  const ValueId memory = b.add_input("encoder_hidden_states", {seen, spec.width});
  const ValueId x = scaled_by(
      b, spec.root + ".embedding_scale",
      b.apply(spec.root + ".embed_tokens", "gather", {words, b.input()}, {{"axis", int64_t{0}}}), spec.embedding_scale);
  return b.finish(language_head(b, spec, decode_embedded(b, spec, x, {memory, {}}), words));
}

}  // namespace

Result<Graph> build_bart(const Request& request) {
  const Config& config = request.config;
  const BartKind& kind = bart_kind(request);
  PairSpec spec = read_pair(config, kind.usual, kind.norms_before ? BlockForm::sequential : BlockForm::norm_of_sum,
                            kind.activation);
  const int64_t vocabulary = config.size("vocab_size", kind.vocabulary),
                positions = config.size("max_position_embeddings", kind.most_tokens);
  if (config.size("decoder_vocab_size", vocabulary) != vocabulary ||
      !config.flag("share_encoder_decoder_embeddings", true))
    config.fail("encoder and decoder have vocabularies of their own, which is not supported");
  const bool tied = config.flag("tie_word_embeddings", true),
             scaled = config.flag("scale_embedding", kind.positions == kComputed);
  for (DecoderSpec* half : {&spec.encoder, &spec.decoder}) {
    half->vocabulary = vocabulary;
    half->learned_positions = kind.positions == kComputed ? 0 : positions;
    half->position_offset = std::max<int64_t>(kind.positions, 0);
    half->embedding_norm = kind.norms_embedding;
    half->embedding_norm_name = "layernorm_embedding";
    half->embedding_scale = scaled ? std::sqrt(double(half->width)) : 1;
    half->tied = tied;
  }
  config.ignore({"normalize_before", "add_final_layer_norm", "add_bias_logits", "normalize_embedding",
                 "static_position_embeddings", "extra_pos_embeddings"});
  const int64_t labels = config.has("num_labels") || config.length("id2label") > 0 ? read_labels(config) : 3;
  PLIM_TRY(config.finish());
  const int64_t tokens = request.tokens(positions);
  if (request.ends_with("ForCausalLM")) return build_decoder_alone(request, spec.decoder, positions, tokens);
  Builder b(request.name, {tokens}, DType::i64);
  const ValueId words = b.parameter("model.shared.weight", {vocabulary, spec.encoder.width});
  const ValueId memory = decode_embedded(b, spec.encoder, embed_text(b, spec.encoder, words, b.input()));
  const ValueId second = b.add_input("decoder_input", {tokens}, DType::i64);
  ValueId x = decode_embedded(b, spec.decoder, embed_text(b, spec.decoder, words, second), {memory, {}});
  if (request.ends_with("ForSequenceClassification")) {
    x = b.apply("last_token", "gather", {x, b.constant("last_token.index", integer_scalar(-1))},
                {{"axis", int64_t{1}}});
    x = b.apply("classification_head.tanh", "tanh", {b.linear("classification_head.dense", x, spec.encoder.width)});
    return b.finish(b.linear("classification_head.out_proj", x, labels));
  }
  if (request.ends_with("ForQuestionAnswering")) return b.finish(b.linear("qa_outputs", x, 2));
  if (request.is_model_alone()) return b.finish(x);
  x = language_head(b, spec.decoder, x, words);
  if (!kind.biases_scores) return b.finish(x);
  return b.finish(b.add("add_logits_bias", x, b.buffer("final_logits_bias", {1, vocabulary})));
}

Result<Graph> build_whisper(const Request& request) {
  const Config& config = request.config;
  PairSpec spec = read_pair(config, {4, 1536, 6}, BlockForm::sequential, "gelu");
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
  if (request.ends_with("ForCausalLM")) return build_decoder_alone(request, spec.decoder, positions, frames);
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
