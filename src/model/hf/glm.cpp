// GLM 4 (Zhipu AI 2024): half of each head turned, gate and up in one layer; later ones have norms on both sides.
#include "model/hf/llama.h"

namespace plimsoll {

Result<Graph> build_glm4(const Request& request) {
  const bool fourth = request.architecture.starts_with("Glm4");
  DecoderSpec spec = read_llama(request.config, {.layers = 40,
                                                 .inner = 13'696,
                                                 .kv_heads = 2,
                                                 .head = 128,
                                                 .vocabulary = 151'552,
                                                 .attention_bias = true,
                                                 .rope = {.fraction = 0.5, .interleaved = true},
                                                 .epsilon = 1.5625e-7});
  if (fourth) {
    spec.block = Block::sandwich;
    spec.norm_names = {"input_layernorm", "post_self_attn_layernorm", "post_attention_layernorm", "post_mlp_layernorm"};
  }
  for (auto& layer : spec.layers) {
    layer.attention->output_bias = false;
    layer.mlp->packed = "gate_up_proj";
  }
  return finish_llama(request, spec, read_positions(request.config, 131'072));
}

}  // namespace plimsoll
