// Decoders whose layers are either attention or a state, each followed by an MLP or experts: Jamba (Lieber 2024), Bamba
// (IBM 2024) and Granite 4 (IBM 2025).
#include <fmt/format.h>

#include <algorithm>

#include "model/hf/llama.h"

namespace plimsoll {
namespace {

// Mamba 2 as these two name its sizes.
MambaSpec read_mamba2(const Config& config, int64_t width, double epsilon) {
  MambaSpec mamba{.inner = config.size("mamba_expand", 2) * width,
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
