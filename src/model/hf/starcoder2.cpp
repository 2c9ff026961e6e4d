// StarCoder 2 (Lozhkov 2024): layer norms and biases, no gate.
#include "model/hf/llama.h"

namespace plimsoll {

Result<Graph> build_starcoder2(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(config, {.width = 3072,
                                         .layers = 30,
                                         .inner = 12'288,
                                         .heads = 24,
                                         .kv_heads = 2,
                                         .vocabulary = 49'152,
                                         .tied = true,
                                         .activation = "gelu_pytorch_tanh",
                                         .epsilon = 1e-5});
  spec.norm.kind = NormKind::layer;
  const bool bias = config.flag("use_bias", true);
  for (auto& layer : spec.layers) {
    layer.attention->bias = bias;
    layer.attention->window = config.count("sliding_window", 0);
    layer.mlp = FeedForwardSpec{.width = layer.mlp->width,
                                .gated = false,
                                .bias = bias,
                                .activation = layer.mlp->activation,
                                .up = "c_fc",
                                .down = "c_proj"};
  }
  config.ignore({"mlp_type", "norm_type"});
  return finish_llama(request, spec, read_positions(config, 4096));
}

}  // namespace plimsoll
