// LFM2 (Liquid AI 2025): most layers mix tokens by a short convolution between two gates, some by attention; the larger
// ones have experts after the first layers.
#include <algorithm>

#include "model/hf/llama.h"

namespace plimsoll {
namespace {

// Two thirds of what is stated, rounded up.
int64_t inner_width(const Config& config) {
  int64_t inner = config.size("block_ff_dim|intermediate_size", 12'288);
  config.ignore({"intermediate_size"});
  const double factor = config.number("block_ffn_dim_multiplier", 1);
  const int64_t whole = config.size("block_multiple_of", 256);
  if (!config.flag("block_auto_adjust_ff_dim", true)) return inner;
  inner = int64_t(factor * double(2 * inner / 3));
  return std::max<int64_t>(1, (inner + whole - 1) / whole) * whole;
}

DecoderSpec read_lfm2(const Config& config, int64_t inner) {
  LlamaDefaults defaults{.width = 2560, .kv_heads = 8, .vocabulary = 65'536, .tied = true};
  defaults.rope.theta = config.number("theta", 1e6);
  defaults.epsilon = config.number("norm_eps|block_norm_eps", 1e-5);
  DecoderSpec spec = read_llama(config, defaults);
  spec.tied = config.flag("tie_embedding", spec.tied);
  spec.norm_names = {"operator_norm", "ffn_norm"};
  spec.final_norm_name = "embedding_norm";
  const auto attends = config.counts("full_attn_idxs");
  const bool listed = config.has("full_attn_idxs");
  const auto types = config.words("layer_types");
  if (!types.empty() && types.size() != spec.layers.size()) config.fail("layer_types has not one entry for each layer");
  const ShortConvSpec conv{.kernel = config.size("conv_L_cache", 3), .bias = config.flag("conv_bias", false)};
  for (size_t i = 0; i < spec.layers.size(); ++i) {
    LayerSpec& layer = spec.layers[i];
    layer.mlp_scope = "feed_forward";
    layer.mlp->width = inner;
    layer.mlp->gate = "w1";
    layer.mlp->up = "w3";
    layer.mlp->down = "w2";
    layer.attention->o = "out_proj";
    layer.attention->qk_norm = QkNorm::each_head;
    layer.attention->q_norm = "q_layernorm";
    layer.attention->k_norm = "k_layernorm";
    layer.attention->head_norm = spec.norm;
    const bool by_list = !listed || std::find(attends.begin(), attends.end(), int64_t(i)) != attends.end();
    if (i < types.size() ? types[i] == "full_attention" : by_list) continue;
    layer.attention.reset();
    layer.short_conv = conv;
    layer.mixer_scope = "conv";
  }
  config.ignore({"block_dim", "conv_dim", "conv_dim_out", "num_heads"});
  return spec;
}

}  // namespace

Result<Graph> build_lfm2(const Request& request) {
  const int64_t inner = inner_width(request.config);
  return finish_llama(request, read_lfm2(request.config, inner), read_positions(request.config, 128'000));
}

Result<Graph> build_lfm2_moe(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_lfm2(config, config.size("intermediate_size", 7168));
  MoeSpec moe{.experts = config.size("num_experts", 32),
              .top_k = config.size("num_experts_per_tok", 4),
              .width = config.size("moe_intermediate_size", 1792)};
  moe.scores = "sigmoid";
  moe.correction = config.flag("use_expert_bias", true);
  moe.correction_name = "expert_bias";
  moe.normalise = config.flag("norm_topk_prob", true);
  moe.scale = config.number("routed_scaling_factor", 1);
  const auto dense = size_t(config.count("num_dense_layers", 2));
  for (size_t i = dense; i < spec.layers.size(); ++i) {
    spec.layers[i].mlp.reset();
    spec.layers[i].moe = moe;
  }
  return finish_llama(request, spec, read_positions(config, 128'000));
}

}  // namespace plimsoll
