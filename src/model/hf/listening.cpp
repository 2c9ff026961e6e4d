// Networks of text that hear through Whisper's encoder: Qwen2-Audio (Chu 2024) and Voxtral (Mistral 2025). A sample has
// half a minute of sound.
#include <fmt/format.h>

#include "model/hf/request.h"

namespace plimsoll {
namespace {

struct Ears {
  DecoderSpec encoder;
  int64_t frames = 1500, bins = 128;
  std::string activation;
};

Ears read_ears(const Config& config) {
  Ears ears;
  DecoderSpec& e = ears.encoder;
  e.width = config.size("d_model|hidden_size", 1280);
  const int64_t heads = config.size("encoder_attention_heads|num_attention_heads", 20);
  if (e.width % heads != 0) config.fail(fmt::format("{} attention heads do not divide d_model {}", heads, e.width));
  ears.activation = read_activation(config, "activation_function", "gelu");
  ears.frames = config.size("max_source_positions", 1500);
  ears.bins = config.size("num_mel_bins", 128);
  e.norm = {NormKind::layer, 1e-5, ""};
  e.root = "audio_tower";
  e.positions = "embed_positions";
  e.learned_positions = ears.frames;
  e.norm_names = {"self_attn_layer_norm", "final_layer_norm"};
  e.final_norm_name = "layer_norm";
  LayerSpec layer;
  layer.attention =
      AttentionSpec{.heads = heads, .kv_heads = heads, .head = std::max<int64_t>(1, e.width / heads), .bias = true};
  layer.attention->key_bias = false;
  layer.attention->o = "out_proj";
  layer.attention->upcast = layer.attention->causal = false;
  layer.mlp = FeedForwardSpec{.width = config.size("encoder_ffn_dim|intermediate_size", 5120),
                              .gated = false,
                              .bias = true,
                              .activation = ears.activation,
                              .up = "fc1",
                              .down = "fc2"};
  layer.mlp_scope = "";
  e.layers.assign(size_t(read_layer_count(config, "encoder_layers|num_hidden_layers", 32)), layer);
  config.ignore({"vocab_size", "num_hidden_layers", "head_dim", "num_key_value_heads", "scale_embedding"});
  return ears;
}

ValueId hear(Builder& b, const Ears& ears) {
  const int64_t width = ears.encoder.width;
  ValueId x = b.add_input("input_features", {ears.bins, 2 * ears.frames});
  {
    const auto scope = b.enter(ears.encoder.root);
    x = activate(b, "gelu_1", b.conv("conv1", x, width, {.kernel = {3}, .padding = {1}}), "gelu");
    x = activate(b, "gelu_2", b.conv("conv2", x, width, {.kernel = {3}, .stride = {2}, .padding = {1}}), "gelu");
    x = b.transpose("channels_last", x, {0, 2, 1});
  }
  return x;
}

// Means of two neighbours.
ValueId halved(Builder& b, ValueId x) {
  x = b.transpose("pool.channels_first", x, {0, 2, 1});
  return b.transpose("pool.channels_last", b.average_pool("avg_pooler", x, {.kernel = {2}}), {0, 2, 1});
}

}  // namespace

// The encoder's own last norm stands after its states are halved.
Result<Graph> build_qwen2_audio(const Request& request) {
  const Config& config = request.config;
  const Config text = config.part("text_config");
  Ears ears = read_ears(config.part("audio_config"));
  ears.encoder.final_norm = false;
  const int64_t width = text.size("hidden_size", 4096);
  config.ignore({"vocab_size"});
  const Sight sight = [=](Builder& b) {
    ValueId x = halved(b, decode_embedded(b, ears.encoder, hear(b, ears)));
    x = norm(b, "audio_tower.layer_norm", x, ears.encoder.norm);
    return Seen{b.linear("multi_modal_projector.linear", x, width), {}};
  };
  return build_text_part(request, text, "qwen2", config.flag("tie_word_embeddings", false), sight);
}

// Four neighbours side by side become one token.
Result<Graph> build_voxtral(const Request& request) {
  const Config& config = request.config;
  const Config text = config.part("text_config"), sound = config.part("audio_config");
  const Ears ears = read_ears(sound);
  // Its text has sizes of its own where it is silent, which are not a Llama's.
  for (const auto key : {"vocab_size", "intermediate_size", "num_hidden_layers", "num_key_value_heads", "head_dim"})
    text.size(key);
  const int64_t width = text.size("hidden_size"), joined = ears.encoder.layers[0].mlp->width;
  if (joined % ears.encoder.width != 0) config.fail("hidden_size does not divide intermediate_size of audio_config");
  const std::string activation = read_activation(config, "projector_hidden_act", "gelu");
  config.ignore({"hidden_size", "vocab_size"});
  const Sight sight = [=](Builder& b) {
    ValueId x = decode_embedded(b, ears.encoder, hear(b, ears));
    const int64_t tokens = ears.frames * ears.encoder.width / joined;
    if (tokens * joined != ears.frames * ears.encoder.width)
      b.fail(user_error("max_source_positions cannot be joined into whole tokens"));
    x = b.reshape("joined", x, {0, tokens, joined});
    x = b.linear("multi_modal_projector.linear_1", x, width, false);
    x = activate(b, "multi_modal_projector.act", x, activation);
    return Seen{b.linear("multi_modal_projector.linear_2", x, width, false), {}};
  };
  return build_text_part(request, text, "llama", config.flag("tie_word_embeddings", false), sight);
}

}  // namespace plimsoll
