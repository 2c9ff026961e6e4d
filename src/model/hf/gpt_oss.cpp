// gpt-oss (OpenAI 2025): every second layer sees a window, heads have sinks, experts have biases and bounds.
#include "model/hf/llama.h"

namespace plimsoll {

Result<Graph> build_gpt_oss(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(config, {.width = 2880,
                                         .layers = 36,
                                         .inner = 2880,
                                         .heads = 64,
                                         .kv_heads = 8,
                                         .head = 64,
                                         .vocabulary = 201'088,
                                         .attention_bias = true,
                                         .rope = {.theta = 150'000},
                                         .epsilon = 1e-5});
  const auto types = read_layer_types(
      config, int64_t(spec.layers.size()),
      [](int64_t i, int64_t) { return std::string(i % 2 == 0 ? "sliding_attention" : "full_attention"); }, 2);
  set_windows(config, spec, config.count("sliding_window", 128), types);
  for (auto& layer : spec.layers) {
    layer.attention->sinks = true;
    layer.attention->upcast = false;
    MoeSpec moe{.experts = config.size("num_local_experts|num_experts", 128),
                .top_k = config.size("num_experts_per_tok|experts_per_token", 4),
                .width = layer.mlp->width};
    moe.router = "router";
    moe.router_bias = moe.expert_bias = moe.chosen_only = true;
    moe.limit = config.number("swiglu_limit", 7);
    moe.alpha = config.number("swiglu_alpha", 1.702);
    layer.mlp.reset();
    layer.moe = moe;
  }
  config.ignore({"initial_context_length", "experts_per_token"});
  return finish_llama(request, spec, read_positions(config, 131'072));
}

}  // namespace plimsoll
