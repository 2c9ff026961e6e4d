// GLM 4 (Zhipu AI 2024): half of each head turned, gate and up in one layer; later ones have norms on both sides.
#include "model/hf/llama.h"

namespace plimsoll {

Result<Graph> build_glm4(const Request& request) {
  const bool fourth = request.architecture.starts_with("Glm4"), sees = request.model_type == "glm4v_text";
  DecoderSpec spec = read_llama(request.config, {.layers = 40,
                                                 .inner = 13'696,
                                                 .kv_heads = 2,
                                                 .head = sees ? 0 : 128,
                                                 .vocabulary = 151'552,
                                                 .attention_bias = true,
                                                 .rope = {.fraction = 0.5, .interleaved = true},
                                                 .epsilon = sees ? 1e-5 : 1.5625e-7});
  if (fourth) {
    spec.block = BlockForm::sandwich;
    spec.norm_names = {"input_layernorm", "post_self_attn_layernorm", "post_attention_layernorm", "post_mlp_layernorm"};
  }
  for (auto& layer : spec.layers) {
    layer.attention->output_bias = false;
    layer.mlp->packed = "gate_up_proj";
  }
  return finish_llama(request, spec, read_positions(request.config, 131'072));
}

// GLM 4.5 to 4.7: many narrow experts, the first layers dense.
Result<Graph> build_glm4_moe(const Request& request) {
  const Config& config = request.config;
  const bool sees = request.model_type == "glm4v_moe_text";
  LlamaDefaults defaults{.layers = 46, .inner = 10'944, .heads = 96, .kv_heads = 8};
  defaults.vocabulary = sees ? 151'424 : 151'552;
  defaults.attention_bias = sees;
  defaults.rope.fraction = 0.5;
  defaults.epsilon = 1e-5;
  DecoderSpec spec = read_llama(config, defaults);
  if (config.flag("use_qk_norm", false)) add_head_norms(spec);
  MoeSpec moe{.experts = config.size("n_routed_experts|num_local_experts", 128),
              .top_k = config.size("num_experts_per_tok", 8),
              .width = config.size("moe_intermediate_size", 1408)};
  moe.shared_width = moe.width * config.count("n_shared_experts", 1);
  moe.scale = config.number("routed_scaling_factor", 1);
  moe.normalise = config.flag("norm_topk_prob", true);
  moe.scores = "sigmoid";
  moe.correction = true;
  moe.groups = config.size("n_group", 1);
  moe.chosen_groups = config.size("topk_group", 1);
  moe.activation = spec.layers[0].mlp->activation;
  const auto dense = size_t(config.count("first_k_dense_replace", 1));
  for (size_t i = 0; i < spec.layers.size(); ++i) {
    LayerSpec& layer = spec.layers[i];
    layer.attention->output_bias = false;
    if (i < dense) continue;
    layer.mlp.reset();
    layer.moe = moe;
  }
  config.ignore({"num_nextn_predict_layers", "num_mtp_layers"});
  return finish_llama(request, spec, read_positions(config, 131'072));
}

}  // namespace plimsoll
