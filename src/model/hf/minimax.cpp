// MiniMax M2 (2025): norms of all queries and keys together, and many experts chosen by sigmoids.
#include "model/hf/llama.h"

namespace plimsoll {

Result<Graph> build_minimax_m2(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.width = 3072,
                         .layers = 62,
                         .inner = 1536,
                         .heads = 48,
                         .kv_heads = 8,
                         .head = 128,
                         .vocabulary = 200'064,
                         .rope = {.theta = 5e6}};
  const int64_t head = config.size("head_dim", 128);
  defaults.rope.fraction = double(config.size("rotary_dim", head)) / double(head);
  DecoderSpec spec = read_llama(config, defaults);
  for (auto& layer : spec.layers) {
    layer.attention->qk_norm = QkNorm::whole;
    layer.attention->head_norm = spec.norm;
    layer.attention->bias = false;
    layer.moe = MoeSpec{.experts = config.size("num_local_experts|num_experts", 256),
                        .top_k = config.size("num_experts_per_tok", 8),
                        .width = layer.mlp->width};
    layer.moe->correction = true;
    layer.moe->correction_name = "e_score_correction_bias";
    layer.moe->scores = "sigmoid";
    layer.moe->normalise = true;
    layer.moe->activation = layer.mlp->activation;
    layer.mlp.reset();
  }
  config.ignore({"use_routing_bias", "shared_intermediate_size", "qk_norm_type", "attn_type_list"});
  return finish_llama(request, spec, read_positions(config, 196'608));
}

}  // namespace plimsoll
