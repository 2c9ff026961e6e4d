// Mamba (Gu 2023), Mamba 2 (Dao 2024) and Nemotron-H (NVIDIA 2025), whose layers are one of Mamba 2, attention, MLP
// and experts each.
#include <cmath>

#include <fmt/format.h>

#include "model/hf/request.h"

namespace plimsoll {
namespace {

DecoderSpec read_stack(const Config& config, int64_t vocabulary, bool tied) {
  DecoderSpec spec;
  spec.vocabulary = config.size("vocab_size", vocabulary);
  spec.width = config.size("hidden_size");
  spec.norm.epsilon = config.number("layer_norm_epsilon", 1e-5);
  spec.tied = config.flag("tie_word_embeddings", tied);
  spec.block = BlockForm::single;
  spec.root = "backbone";
  spec.embedding = "embeddings";
  spec.final_norm_name = "norm_f";
  spec.norm_names = {"norm"};
  return spec;
}

LayerSpec mamba_layer(const MambaSpec& mamba) {
  LayerSpec layer;
  layer.mixer_scope = "mixer";
  layer.mamba = mamba;
  return layer;
}

Result<Graph> finish(const Request& request, const DecoderSpec& spec, int64_t positions) {
  const HeadSpec head = read_head(request);
  PLIM_TRY(request.config.finish());
  return build_decoder(request.name, spec, head, request.tokens(positions));
}

LayerSpec nemotron_layer(const Config& config, const std::string& kind, const DecoderSpec& spec) {
  LayerSpec layer;
  layer.mixer_scope = layer.mlp_scope = "mixer";
  if (kind == "mamba" || kind == "linear_attention") {
    MambaSpec mamba{.inner = config.size("mamba_num_heads", 128) * config.size("mamba_head_dim", 64),
                    .state = config.size("ssm_state_size", 128),
                    .kernel = config.size("conv_kernel", 4)};
    mamba.heads = config.size("mamba_num_heads", 128);
    mamba.groups = config.size("n_groups", 8);
    mamba.bias = config.flag("use_bias", false);
    mamba.conv_bias = config.flag("mamba_conv_bias|use_conv_bias", true);
    mamba.epsilon = spec.norm.epsilon;
    layer.mamba = mamba;
  } else if (kind == "attention" || kind == "full_attention") {
    const HeadSizes heads = read_heads(config, spec.width, 32, 8, 128);
    layer.attention = AttentionSpec{.heads = heads.heads, .kv_heads = heads.kv_heads, .head = heads.head};
    layer.attention->window = config.count("sliding_window", 0);
  } else if (kind == "mlp") {
    layer.mlp = FeedForwardSpec{
        .width = config.size("intermediate_size", 21'504), .gated = false, .bias = config.flag("mlp_bias", false)};
    layer.mlp->activation = read_activation(config, "mlp_hidden_act", "relu2");
  } else if (kind == "moe") {
    MoeSpec moe{.experts = config.size("n_routed_experts|num_local_experts", 8),
                .top_k = config.size("num_experts_per_tok", 2),
                .width = config.size("moe_intermediate_size", 7688)};
    moe.shared_width = config.size("moe_shared_expert_intermediate_size", 7688);
    moe.latent = config.count("moe_latent_size", 0);
    moe.shared_bias = config.flag("mlp_bias", false);
    moe.gated = false;
    moe.correction = moe.normalise = true;
    moe.scores = "sigmoid";
    moe.normalise = config.flag("norm_topk_prob", true);
    moe.scale = config.number("routed_scaling_factor", 1);
    moe.groups = config.size("n_group", 1);
    moe.chosen_groups = config.size("topk_group", 1);
    moe.activation = read_activation(config, "mlp_hidden_act", "relu2");
    layer.moe = moe;
  } else {
    config.fail(fmt::format("a layer is called {}, expected mamba, attention, mlp or moe", kind));
    layer.mlp = FeedForwardSpec{};
  }
  return layer;
}

// "M-M*-": Mamba, MLP, attention, E for experts.
std::vector<std::string> nemotron_kinds(const Config& config) {
  auto kinds = config.words("layers_block_type|layer_types");
  const std::string pattern = config.text("hybrid_override_pattern", "");
  if (!kinds.empty()) return kinds;
  for (const char letter : pattern)
    kinds.push_back(letter == 'M'   ? "mamba"
                    : letter == '*' ? "attention"
                    : letter == '-' ? "mlp"
                    : letter == 'E' ? "moe"
                                    : std::string(1, letter));
  if (kinds.empty()) config.fail("the key 'layers_block_type' is missing");
  if (kinds.size() > 10'000) config.fail("more than 10000 layers were found");
  return kinds;
}

}  // namespace

Result<Graph> build_mamba(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_stack(config, 50'280, true);
  MambaSpec mamba{.inner = int64_t(config.number("expand", 2) * double(spec.width)),
                  .state = config.size("state_size|d_state", 16),
                  .kernel = config.size("conv_kernel|d_conv", 4)};
  const bool automatic = config.is_text("time_step_rank") && config.text("time_step_rank", "") == "auto";
  mamba.rank = automatic || !config.has("time_step_rank") ? (spec.width + 15) / 16 : config.size("time_step_rank", 48);
  mamba.bias = config.flag("use_bias", false);
  mamba.conv_bias = config.flag("use_conv_bias", true);
  if (mamba.inner < 1 && !config.has("intermediate_size")) config.fail("expand is too small: nothing is left inside");
  // Stated by itself it counts, whatever the factor says.
  mamba.inner = config.size("intermediate_size", std::max<int64_t>(1, mamba.inner));
  // Falcon's has norms of what is projected, without parameters.
  if (request.architecture.starts_with("FalconMamba")) {
    mamba.inner_norm = NormKind::rms_without_parameters;
    mamba.epsilon = config.number("mixer_rms_eps", 1e-6);
  }
  spec.layers.assign(size_t(read_layer_count(config, "num_hidden_layers|n_layer")), mamba_layer(mamba));
  config.ignore({"intermediate_size", "d_inner", "d_model", "n_layer", "ssm_cfg", "use_mambapy", "use_associative_scan",
                 "use_falcon_mambapy"});
  return finish(request, spec, 2048);
}

Result<Graph> build_mamba2(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_stack(config, 32'768, false);
  MambaSpec mamba{.inner = int64_t(config.number("expand", 2) * double(spec.width)),
                  .state = config.size("state_size", 128),
                  .kernel = config.size("conv_kernel", 4)};
  mamba.heads = config.size("num_heads", 128);
  mamba.groups = config.size("n_groups", 8);
  const int64_t head = config.size("head_dim", 64);
  if (mamba.heads * head != mamba.inner)
    config.fail(fmt::format("num_heads {} of head_dim {} are not expand times hidden_size, {}", mamba.heads, head,
                            mamba.inner));
  mamba.bias = config.flag("use_bias", false);
  mamba.conv_bias = config.flag("use_conv_bias", true);
  mamba.epsilon = spec.norm.epsilon;
  spec.layers.assign(size_t(read_layer_count(config, "num_hidden_layers")), mamba_layer(mamba));
  config.ignore({"intermediate_size", "time_step_rank", "chunk_size"});
  return finish(request, spec, 2048);
}

Result<Graph> build_nemotron_h(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_stack(config, 131'072, false);
  spec.root = "model";
  spec.norm.epsilon = config.number("layer_norm_epsilon|rms_norm_eps", 1e-5);
  spec.tied = false;  // today's class never ties, nor gives attention a bias, whatever the file says
  for (const auto& kind : nemotron_kinds(config)) spec.layers.push_back(nemotron_layer(config, kind, spec));
  config.ignore({"num_hidden_layers",
                 "mamba_num_heads",
                 "mamba_head_dim",
                 "ssm_state_size",
                 "conv_kernel",
                 "n_groups",
                 "expand",
                 "chunk_size",
                 "num_attention_heads",
                 "num_key_value_heads",
                 "head_dim",
                 "attention_head_dim",
                 "intermediate_size",
                 "n_routed_experts",
                 "n_shared_experts",
                 "num_experts_per_tok",
                 "moe_intermediate_size",
                 "moe_shared_expert_intermediate_size",
                 "moe_latent_size",
                 "moe_shared_expert_overlap",
                 "n_group",
                 "topk_group",
                 "mlp_bias",
                 "attention_bias",
                 "mamba_proj_bias",
                 "use_bias",
                 "use_conv_bias",
                 "mamba_conv_bias",
                 "time_step_rank",
                 "mtp_layers_block_type",
                 "num_nextn_predict_layers",
                 "num_local_experts"});
  return finish(request, spec, config.size("max_position_embeddings", 4096));
}

}  // namespace plimsoll
