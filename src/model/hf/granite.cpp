// Granite (IBM 2024): Llama with factors on embeddings, residuals, scores and logits; some with experts.
#include "model/hf/llama.h"

namespace plimsoll {

void read_granite_multipliers(const Config& config, DecoderSpec& spec) {
  spec.embedding_scale = config.number("embedding_multiplier", 1);
  spec.residual_scale = config.number("residual_multiplier", 1);
  const double logits = config.number("logits_scaling", 1);
  if (logits == 0) config.fail("logits_scaling is 0, expected a number to divide by");
  spec.logit_scale = logits == 0 ? 1 : 1 / logits;
  for (auto& layer : spec.layers)
    if (layer.attention) layer.attention->scale = config.number("attention_multiplier", 1);
}

Result<Graph> build_granite(const Request& request) {
  DecoderSpec spec = read_llama(request.config, {});
  read_granite_multipliers(request.config, spec);
  return finish_llama(request, spec, read_positions(request.config, 2048));
}

Result<Graph> build_granite_moe(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(config, {});
  read_granite_multipliers(config, spec);
  MoeSpec moe{.experts = config.size("num_local_experts", 8),
              .top_k = config.size("num_experts_per_tok", 2),
              .width = spec.layers[0].mlp->width};
  moe.chosen_only = true;
  moe.router = "router.layer";
  moe.shared_width =
      request.architecture.starts_with("GraniteMoeShared") ? config.count("shared_intermediate_size", 0) : 0;
  moe.shared_name = "shared_mlp";
  for (auto& layer : spec.layers) {
    layer.mlp_scope = "block_sparse_moe";
    moe.activation = layer.mlp->activation;
    layer.mlp.reset();
    layer.moe = moe;
  }
  return finish_llama(request, spec, read_positions(config, 2048));
}

}  // namespace plimsoll
