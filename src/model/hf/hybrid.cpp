// Decoders whose layers are either attention or a state, each followed by an MLP or experts: Jamba (Lieber 2024), Bamba
// (IBM 2024) and Granite 4 (IBM 2025); and Falcon-H1 (TII 2025), whose layers have both side by side.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/hf/llama.h"

namespace plimsoll {
namespace {

// Mamba 2 as these two name its sizes.
MambaSpec read_mamba2(const Config& config, int64_t width, double epsilon) {
  MambaSpec mamba{.inner = config.size("mamba_d_ssm", config.size("mamba_expand", 2) * width),
                  .state = config.size("mamba_d_state", 256),
                  .kernel = config.size("mamba_d_conv", 4)};
  mamba.heads = config.size("mamba_n_heads", 128);
  mamba.groups = config.size("mamba_n_groups", 1);
  const int64_t head = config.is_text("mamba_d_head") ? mamba.inner / mamba.heads
                                                      : config.size("mamba_d_head", mamba.inner / mamba.heads);
  if (head * mamba.heads != mamba.inner)
    config.fail(fmt::format("mamba_n_heads {} of mamba_d_head {} are not mamba_expand times hidden_size, {}",
                            mamba.heads, head, mamba.inner));
  mamba.bias = config.flag("mamba_proj_bias", false);
  mamba.conv_bias = config.flag("mamba_conv_bias", true);
  mamba.epsilon = epsilon;
  config.ignore({"mamba_chunk_size", "mamba_d_head"});
  return mamba;
}

void make_state(LayerSpec& layer, const MambaSpec& mamba) {
  layer.attention.reset();
  layer.mamba = mamba;
  layer.mixer_scope = "mamba";
}

}  // namespace

Result<Graph> build_jamba(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.inner = 14'336, .kv_heads = 8, .vocabulary = 65'536};
  DecoderSpec spec = read_llama(config, defaults);
  spec.norm_names = {"input_layernorm", "pre_ff_layernorm"};
  spec.final_norm_name = "final_layernorm";
  MambaSpec mamba{.inner = config.size("mamba_expand", 2) * spec.width,
                  .state = config.size("mamba_d_state", 16),
                  .kernel = config.size("mamba_d_conv", 4)};
  const bool automatic = config.is_text("mamba_dt_rank");
  mamba.rank = automatic ? (spec.width + 15) / 16 : config.size("mamba_dt_rank", (spec.width + 15) / 16);
  mamba.bias = config.flag("mamba_proj_bias", false);
  mamba.conv_bias = config.flag("mamba_conv_bias", true);
  mamba.inner_norm = NormKind::rms;
  mamba.epsilon = spec.norm.epsilon;
  MoeSpec moe{.experts = config.size("num_experts|num_local_experts", 16),
              .top_k = config.size("num_experts_per_tok", 2),
              .width = spec.layers[0].mlp->width};
  moe.router = "router";
  moe.activation = spec.layers[0].mlp->activation;
  const int64_t every = config.size("attn_layer_period", 8), from = config.count("attn_layer_offset", 4),
                sparse = config.size("expert_layer_period", 2), sparse_from = config.count("expert_layer_offset", 1);
  for (size_t i = 0; i < spec.layers.size(); ++i) {
    LayerSpec& layer = spec.layers[i];
    layer.attention->rope.reset();
    layer.mlp_scope = "feed_forward";
    if (int64_t(i) % every != from) make_state(layer, mamba);
    if (int64_t(i) % sparse != sparse_from || moe.experts == 1) continue;
    layer.mlp.reset();
    layer.moe = moe;
  }
  config.ignore({"use_mamba_kernels", "use_mambapy", "use_associative_scan", "sliding_window", "mamba_inner_layernorms",
                 "n_ctx"});
  return finish_llama(request, spec, read_positions(config, 262'144));
}

Result<Graph> build_bamba(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.inner = 14'336, .kv_heads = 8, .vocabulary = 128'000};
  defaults.rope.fraction = 0.5;
  defaults.epsilon = 1e-5;
  DecoderSpec spec = read_llama(config, defaults);
  spec.norm_names = {"input_layernorm", "pre_ff_layernorm"};
  spec.final_norm_name = "final_layernorm";
  const MambaSpec mamba = read_mamba2(config, spec.width, spec.norm.epsilon);
  const auto attention = config.counts("attn_layer_indices");
  for (size_t i = 0; i < spec.layers.size(); ++i) {
    spec.layers[i].mlp_scope = "feed_forward";
    if (std::find(attention.begin(), attention.end(), int64_t(i)) == attention.end()) make_state(spec.layers[i], mamba);
  }
  config.ignore({"attn_rotary_emb", "num_logits_to_keep"});
  return finish_llama(request, spec, read_positions(config, 262'144));
}

Result<Graph> build_falcon_h1(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.inner = 14'336, .kv_heads = 8, .vocabulary = 128'000, .epsilon = 1e-5};
  DecoderSpec spec = read_llama(config, defaults);
  spec.norm_names = {"input_layernorm", "pre_ff_layernorm"};
  spec.final_norm_name = "final_layernorm";
  spec.embedding_scale = config.number("embedding_multiplier", 1);
  spec.logit_scale = config.number("lm_head_multiplier", 1);
  MambaSpec mamba = read_mamba2(config, spec.width, spec.norm.epsilon);
  mamba.normed = config.flag("mamba_rms_norm", false);
  mamba.norm_first = config.flag("mamba_norm_before_gate", true);
  mamba.in_scale = config.number("ssm_in_multiplier", 1);
  mamba.part_scales = config.numbers("ssm_multipliers");
  constexpr size_t kParts = 5;
  if (!mamba.part_scales.empty() && mamba.part_scales.size() != kParts)
    config.fail(fmt::format("ssm_multipliers has {} entries, expected {}", mamba.part_scales.size(), kParts));
  if (config.flag("projectors_bias", false) != mamba.bias)
    config.fail("projectors_bias and mamba_proj_bias differ, which is not supported");
  const auto mlp = config.numbers("mlp_multipliers");
  const double keys = config.number("key_multiplier", 1);
  for (LayerSpec& layer : spec.layers) {
    layer.mlp_scope = "feed_forward";
    layer.beside = mamba;
    layer.beside_scale = config.number("ssm_out_multiplier", 1);
    layer.mixer_in_scale = config.number("attention_in_multiplier", 1);
    layer.mixer_out_scale = config.number("attention_out_multiplier", 1);
    if (keys != 1) layer.attention->scale = keys / std::sqrt(double(layer.attention->head));
    if (mlp.size() == 2) {
      layer.mlp->gate_scale = mlp[0];
      layer.mlp->down_scale = mlp[1];
    }
  }
  config.ignore({"layers_block_type", "mamba_expand", "time_step_limit", "mamba_use_mlp"});
  return finish_llama(request, spec, read_positions(config, 8192));
}

Result<Graph> build_granite_hybrid(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(config, {});
  const bool turned = config.text("position_embedding_type", "") == "rope";
  const MambaSpec mamba = read_mamba2(config, spec.width, spec.norm.epsilon);
  const int64_t shared = config.count("shared_intermediate_size", 1024), experts = config.count("num_local_experts", 8);
  MoeSpec moe{.experts = std::max<int64_t>(1, experts),
              .top_k = config.count("num_experts_per_tok", 2),
              .width = spec.layers[0].mlp->width};
  moe.chosen_only = true;
  moe.router = "router.layer";
  moe.shared_width = shared;
  moe.shared_name = "shared_mlp";
  moe.activation = spec.layers[0].mlp->activation;
  auto types = config.words("layer_types|layers_block_type");
  types.resize(spec.layers.size(), types.empty() ? "mamba" : "");
  for (size_t i = 0; i < spec.layers.size(); ++i) {
    LayerSpec& layer = spec.layers[i];
    const bool state = types[i] == "mamba" || types[i] == "linear_attention";
    if (!state && types[i] != "attention" && types[i] != "full_attention")
      config.fail(fmt::format("layer {} is called '{}', expected mamba or attention", i, types[i]));
    if (!turned) layer.attention->rope.reset();
    if (state) make_state(layer, mamba);
    layer.mlp->width = std::max<int64_t>(1, shared);
    if (experts == 0) continue;
    layer.mlp.reset();
    layer.moe = moe;
    layer.mlp_scope = "block_sparse_moe";
  }
  read_granite_multipliers(config, spec);
  return finish_llama(request, spec, read_positions(config, 2048));
}

}  // namespace plimsoll
