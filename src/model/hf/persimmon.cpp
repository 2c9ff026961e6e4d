// Persimmon (Adept 2023): layer norms, also of each head of queries and keys; half of a head is turned, and the
// activation is the square of a relu.
#include "model/hf/llama.h"

namespace plimsoll {

Result<Graph> build_persimmon(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.layers = 36, .inner = 16'384, .heads = 64, .vocabulary = 262'144, .activation = "relu2"};
  defaults.rope = {.theta = 25'000, .fraction = 0.5};
  DecoderSpec spec = read_llama(config, defaults);
  spec.norm = {NormKind::layer, config.number("layer_norm_eps", 1e-5), ""};
  spec.final_norm_name = "final_layernorm";
  const bool norms = config.flag("qk_layernorm", true);
  for (auto& layer : spec.layers) {
    layer.attention->bias = true;
    layer.attention->packed = "query_key_value";
    layer.attention->o = "dense";
    layer.attention->q_norm = "q_layernorm";
    layer.attention->k_norm = "k_layernorm";
    layer.attention->qk_norm = norms ? QkNorm::each_head : QkNorm::none;
    layer.attention->head_norm = spec.norm;
    layer.mlp->gated = false;
    layer.mlp->bias = true;
    layer.mlp->up = "dense_h_to_4h";
    layer.mlp->down = "dense_4h_to_h";
  }
  return finish_llama(request, spec, read_positions(config, 16'384));
}

}  // namespace plimsoll
