// Mistral (Jiang 2023), most of which see only a window, and Mixtral (Jiang 2024) with its experts.
#include "model/hf/llama.h"

namespace plimsoll {

Result<Graph> build_mistral(const Request& request) {
  DecoderSpec spec = read_llama(request.config, {.inner = 14'336, .kv_heads = 8});
  // Absent, the class has a window of 4,096; null says that there is none.
  const int64_t window = request.config.is_null("sliding_window") ? 0 : request.config.count("sliding_window", 4096);
  for (auto& layer : spec.layers) layer.attention->window = window;
  return finish_llama(request, spec, read_positions(request.config, 131'072));
}

Result<Graph> build_mixtral(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(config, {.inner = 14'336, .kv_heads = 8, .rope = {.theta = 1e6}, .epsilon = 1e-5});
  MoeSpec moe{.experts = config.size("num_local_experts|num_experts", 8),
              .top_k = config.size("num_experts_per_tok", 2)};
  moe.width = spec.layers[0].mlp->width;
  moe.activation = spec.layers[0].mlp->activation;
  moe.normalise = true;
  for (auto& layer : spec.layers) {
    layer.attention->window = config.count("sliding_window", 0);
    layer.mlp.reset();
    layer.moe = moe;
  }
  return finish_llama(request, spec, read_positions(config, 131'072));
}

}  // namespace plimsoll
