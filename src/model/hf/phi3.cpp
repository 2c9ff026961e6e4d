// Phi 3 and 4 (Abdin 2024): one layer for queries, keys and values and one for gate and up; Phi 3.5 MoE has experts.
#include "model/hf/llama.h"

namespace plimsoll {

Result<Graph> build_phi3(const Request& request) {
  DecoderSpec spec = read_llama(request.config, {.width = 3072, .inner = 8192, .vocabulary = 32'064, .epsilon = 1e-5});
  const int64_t window = request.config.count("sliding_window", 0);
  for (auto& layer : spec.layers) {
    layer.attention->packed = "qkv_proj";
    layer.attention->bias = false;
    layer.attention->window = window;
    layer.mlp->packed = "gate_up_proj";
  }
  return finish_llama(request, spec, read_positions(request.config, 4096));
}

Result<Graph> build_phimoe(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec =
      read_llama(config, {.inner = 6400, .kv_heads = 8, .vocabulary = 32'064, .rope = {.theta = 1e6}, .epsilon = 1e-5});
  spec.norm.kind = NormKind::layer;
  spec.head_bias = config.flag("lm_head_bias", false);
  MoeSpec moe{.experts = config.size("num_local_experts", 16),
              .top_k = config.size("num_experts_per_tok", 2),
              .width = spec.layers[0].mlp->width};
  moe.router = "router";
  for (auto& layer : spec.layers) {
    layer.attention->window = config.count("sliding_window", 0);
    moe.activation = layer.mlp->activation;
    layer.mlp.reset();
    layer.moe = moe;
  }
  return finish_llama(request, spec, read_positions(config, 131'072));
}

}  // namespace plimsoll
