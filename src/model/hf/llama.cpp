// The decoders that follow Llama (Touvron 2023, Dubey 2024): rms norms, rotary positions, grouped queries, gated MLPs.
#include "model/hf/llama.h"

#include <fmt/format.h>

#include "model/hf/request.h"

namespace plimsoll {

DecoderSpec read_llama(const Config& config, const LlamaDefaults& defaults) {
  DecoderSpec spec;
  const bool needed = defaults.needs_sizes && !config.is_part();
  spec.vocabulary = config.size("vocab_size", defaults.vocabulary);
  spec.width = config.size("hidden_size", needed ? std::nullopt : std::optional(defaults.width));
  const int64_t layers =
      read_layer_count(config, defaults.layers_key, needed ? std::nullopt : std::optional(defaults.layers));
  spec.norm.epsilon = config.number("rms_norm_eps|layer_norm_eps|norm_epsilon", defaults.epsilon);
  spec.tied = config.flag("tie_word_embeddings", defaults.tied);
  const HeadSizes heads = read_heads(config, spec.width, defaults.heads, defaults.kv_heads, defaults.head);
  LayerSpec layer;
  layer.attention = AttentionSpec{.heads = heads.heads, .kv_heads = heads.kv_heads, .head = heads.head};
  layer.attention->bias = config.flag("attention_bias", defaults.attention_bias);
  layer.attention->rope = read_rope(config, heads.head, defaults.rope);
  layer.mlp = FeedForwardSpec{.width = config.size("intermediate_size", defaults.inner)};
  layer.mlp->bias = config.flag("mlp_bias", false);
  layer.mlp->activation = read_activation(config, "hidden_act|hidden_activation", defaults.activation);
  spec.layers.assign(size_t(layers), layer);
  config.ignore({"pretraining_tp", "layer_types", "max_window_layers", "original_max_position_embeddings", "head_dim"});
  return spec;
}

int64_t read_positions(const Config& config, int64_t fallback) {
  return config.size("max_position_embeddings", fallback);
}

void set_windows(const Config& config, DecoderSpec& spec, int64_t window, const std::vector<std::string>& types) {
  for (size_t i = 0; i < spec.layers.size(); ++i)
    if (types[i] == "sliding_attention" && spec.layers[i].attention) spec.layers[i].attention->window = window;
    else if (types[i] != "full_attention" && types[i] != "sliding_attention" && spec.layers[i].attention)
      config.fail(fmt::format("layer_types has {}, expected full_attention or sliding_attention", types[i]));
}

Result<Graph> finish_llama(const Request& request, const DecoderSpec& spec, int64_t positions) {
  const HeadSpec head = read_head(request);
  PLIM_TRY(request.config.finish());
  return build_decoder(request.name, spec, head, request.tokens(positions));
}

Result<Graph> build_llama(const Request& request) {
  const DecoderSpec spec = read_llama(request.config, {});
  request.config.ignore({"sliding_window"});
  return finish_llama(request, spec, read_positions(request.config, 2048));
}

}  // namespace plimsoll
