// StableLM (Bellagente 2024): layer norms, a quarter of each head turned.
#include "model/hf/llama.h"

namespace plimsoll {

Result<Graph> build_stablelm(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(
      config, {.width = 2560, .inner = 6912, .vocabulary = 50'304, .rope = {.fraction = 0.25}, .epsilon = 1e-5});
  spec.norm.kind = NormKind::layer;
  const bool bias = config.flag("use_qkv_bias", false), parallel = config.flag("use_parallel_residual", false),
             norms = config.flag("qk_layernorm", false);
  if (norms) config.fail("qk_layernorm is true, which is not supported");
  if (parallel) spec.block = BlockForm::parallel;
  for (auto& layer : spec.layers) {
    layer.attention->bias = bias;
    layer.attention->output_bias = false;
  }
  return finish_llama(request, spec, read_positions(config, 4096));
}

}  // namespace plimsoll
