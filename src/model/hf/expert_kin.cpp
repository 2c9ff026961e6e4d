// Decoders whose feed-forward blocks are experts and which differ from Llama in a detail or two besides: DBRX
// (Databricks 2024), OLMoE (Muennighoff 2024), FlexOlmo (Ai2 2025), Hunyuan A13B (Tencent 2025), K-EXAONE (LG 2025) and
// Solar Open (Upstage 2025).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/hf/llama.h"

namespace plimsoll {
namespace {

// One number, or a list that has it for each layer.
int64_t same_everywhere(const Config& config, std::string_view key, int64_t fallback) {
  if (!config.is_list(key)) return config.size(key, fallback);
  const auto listed = config.counts(key);
  if (listed.empty() || listed[0] < 1 ||
      !std::all_of(listed.begin(), listed.end(), [&](auto n) { return n == listed[0]; }))
    config.fail(fmt::format("{} differs from layer to layer, which is not supported", key));
  return listed.empty() ? fallback : std::max<int64_t>(1, listed[0]);
}

struct SigmoidExperts {
  int64_t experts, chosen, width;
  double scale;
};

// Routed by sigmoids with a correction that is learnt beside the gradient, and experts that every token sees.
MoeSpec read_sigmoid_experts(const Config& config, const SigmoidExperts& usual, const std::string& activation) {
  MoeSpec moe{.experts = config.size("num_experts|n_routed_experts|num_local_experts", usual.experts),
              .top_k = config.size("num_experts_per_tok", usual.chosen),
              .width = config.size("moe_intermediate_size", usual.width)};
  moe.shared_width = moe.width * config.count("num_shared_experts|n_shared_experts", 1);
  moe.scores = "sigmoid";
  moe.correction = true;
  moe.normalise = config.flag("norm_topk_prob", true);
  moe.scale = config.number("routed_scaling_factor", usual.scale);
  moe.groups = config.size("n_group", 1);
  moe.chosen_groups = config.size("topk_group", 1);
  moe.activation = activation;
  config.ignore({"scoring_func", "topk_method", "moe_layer_freq", "num_nextn_predict_layers", "first_k_dense_replace"});
  return moe;
}

void make_sparse(LayerSpec& layer, const MoeSpec& moe) {
  layer.mlp.reset();
  layer.moe = moe;
}

// Every layer of experts, norms of all queries and all keys together.
void add_olmo_experts(const Config& config, DecoderSpec& spec, int64_t experts, int64_t chosen) {
  MoeSpec moe{.experts = config.size("num_experts|num_local_experts", experts),
              .top_k = config.size("num_experts_per_tok", chosen),
              .width = spec.layers[0].mlp->width};
  moe.activation = spec.layers[0].mlp->activation;
  moe.normalise = config.flag("norm_topk_prob", false);
  for (auto& layer : spec.layers) {
    layer.attention->qk_norm = QkNorm::whole;
    layer.attention->head_norm = spec.norm;
    make_sparse(layer, moe);
  }
}

}  // namespace

// Norms of heads after they are turned, and an expert that every token sees.
Result<Graph> build_hunyuan_moe(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(config, {.vocabulary = 290'943, .epsilon = 1e-5});
  add_head_norms(spec);
  MoeSpec moe{.experts = same_everywhere(config, "num_experts", 1),
              .top_k = same_everywhere(config, "moe_topk", 1),
              .width = spec.layers[0].mlp->width};
  moe.router = "gate.wg";
  moe.normalise = true;
  moe.activation = spec.layers[0].mlp->activation;
  moe.shared_width = moe.width;
  moe.shared_name = "shared_mlp";
  for (auto& layer : spec.layers) {
    layer.attention->q_norm = "query_layernorm";
    layer.attention->k_norm = "key_layernorm";
    layer.attention->turned_first = true;
    make_sparse(layer, moe);
  }
  config.ignore({"attention_head_dim", "moe_intermediate_size", "num_shared_expert", "num_experts_per_tok", "n_group",
                 "kv_lora_rank", "q_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim", "mlp_bias",
                 "use_mixed_mlp_moe", "group_limited_greedy", "moe_layer_num_skipped", "org_vocab_size"});
  return finish_llama(request, spec, read_positions(config, 2048));
}

Result<Graph> build_olmoe(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(
      config, {.width = 2048, .layers = 16, .inner = 2048, .heads = 16, .vocabulary = 50'304, .epsilon = 1e-5});
  add_olmo_experts(config, spec, 64, 8);
  return finish_llama(request, spec, read_positions(config, 4096));
}

// OLMo 2 with experts that were trained apart.
Result<Graph> build_flex_olmo(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(config, {.vocabulary = 100'352, .rope = {.theta = 500'000}, .epsilon = 1e-6});
  spec.block = BlockForm::norm_after;
  spec.norm_names = {"post_attention_layernorm", "post_feedforward_layernorm"};
  add_olmo_experts(config, spec, 7, 5);
  return finish_llama(request, spec, read_positions(config, 4096));
}

// As EXAONE 4: layers that see everything have no positions.
Result<Graph> build_exaone_moe(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(config, {.inner = 16'384, .vocabulary = 102'400, .epsilon = 1e-5});
  add_head_norms(spec);
  add_exaone_windows(config, spec);
  const auto kinds = config.words("mlp_layer_types");
  const auto dense = size_t(config.count("first_k_dense_replace", 1));
  const MoeSpec moe = read_sigmoid_experts(config, {64, 8, 1024, 2.5}, spec.layers[0].mlp->activation);
  for (size_t i = 0; i < spec.layers.size(); ++i)
    if (i < kinds.size() ? kinds[i] == "sparse" : i >= dense) make_sparse(spec.layers[i], moe);
  config.ignore({"is_moe_layer"});
  return finish_llama(request, spec, read_positions(config, 2048));
}

namespace {

std::string last_sees_all(int64_t layer, int64_t pattern) {
  return (layer + 1) % pattern != 0 ? "sliding_attention" : "full_attention";
}

}  // namespace

// Trinity (Arcee 2025): gated attention, norms on both sides, layers that see everything without positions.
Result<Graph> build_afmoe(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.width = 2048, .layers = 32, .inner = 6144, .heads = 16, .head = 128};
  defaults.vocabulary = 200'192;
  defaults.epsilon = 1e-5;
  DecoderSpec spec = read_llama(config, defaults);
  spec.block = BlockForm::sandwich;
  spec.norm_names = {"input_layernorm", "post_attention_layernorm", "pre_mlp_layernorm", "post_mlp_layernorm"};
  if (config.flag("mup_enabled", false)) spec.embedding_scale = std::sqrt(double(spec.width));
  add_head_norms(spec);
  MoeSpec moe = read_sigmoid_experts(config, {64, 6, 1408, 1}, spec.layers[0].mlp->activation);
  moe.shared_width = moe.width * config.count("num_shared_experts", 2);
  moe.scale = config.number("route_scale", 1);
  moe.correction_is_parameter = true;
  moe.correction_name = "expert_bias";
  moe.router = "router.gate";
  const auto layers = int64_t(spec.layers.size());
  const auto types = read_layer_types(config, layers, last_sees_all, config.size("global_attn_every_n_layers", 4));
  set_windows(config, spec, config.size("sliding_window", 1024), types);
  const int64_t dense = config.count("num_dense_layers", 1);
  for (int64_t i = 0; i < layers; ++i) {
    LayerSpec& layer = spec.layers[size_t(i)];
    layer.attention->gate = "gate_proj";
    if (layer.attention->window == 0) layer.attention->rope.reset();
    if (i >= dense) make_sparse(layer, moe);
  }
  config.ignore({"n_group", "topk_group", "num_expert_groups", "num_limited_groups", "load_balance_coeff"});
  return finish_llama(request, spec, read_positions(config, 16'384));
}

// Laguna (poolside 2026): heads that differ in number from layer to layer, each gated.
Result<Graph> build_laguna(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.width = 2048, .layers = 40, .inner = 8192, .heads = 48, .kv_heads = 8, .head = 128};
  defaults.vocabulary = 100'352;
  defaults.rope = {.theta = 500'000, .fraction = 0.5, .kind = "full_attention"};
  DecoderSpec spec = read_llama(config, defaults);
  add_head_norms(spec);
  MoeSpec moe = read_sigmoid_experts(config, {256, 8, 512, 1}, spec.layers[0].mlp->activation);
  moe.shared_width = config.count("shared_expert_intermediate_size", 512);
  moe.scale = config.number("moe_routed_scaling_factor", 1);
  moe.correction_is_parameter = true;
  const size_t layers = spec.layers.size();
  const auto types = read_layer_types(
      config, int64_t(layers), [](int64_t, int64_t) -> std::string { return "full_attention"; }, 1);
  set_windows(config, spec, config.size("sliding_window", 512), types);
  const auto near = read_rope(config, spec.layers[0].attention->head, {.theta = 10'000, .kind = "sliding_attention"});
  const auto heads = config.counts("num_attention_heads_per_layer");
  const auto mlps = config.words("mlp_layer_types");
  const bool by_text = config.is_text("gating");
  const bool each_head = by_text ? config.text("gating", "") == "per-head" : config.flag("gating", true);
  if (!heads.empty() && heads.size() != layers)
    config.fail("num_attention_heads_per_layer has not one entry for each layer");
  for (size_t i = 0; i < layers; ++i) {
    AttentionSpec& attention = *spec.layers[i].attention;
    if (i < heads.size()) attention.heads = std::max<int64_t>(1, heads[i]);
    if (attention.heads > 1 << 16 || attention.heads % attention.kv_heads != 0)
      config.fail("num_key_value_heads does not divide num_attention_heads_per_layer");
    attention.gate = "g_proj";
    attention.gate_activation = "softplus";
    attention.gates_heads = each_head;
    if (attention.window > 0) attention.rope = near;
    if (i < mlps.size() ? mlps[i] == "sparse" : i >= 1) make_sparse(spec.layers[i], moe);
  }
  config.ignore({"decoder_sparse_step", "norm_topk_prob", "mlp_only_layers", "use_sliding_window",
                 "moe_router_logit_softcapping", "moe_apply_router_weight_on_input", "qkv_bias"});
  return finish_llama(request, spec, read_positions(config, 131'072));
}

// Norms of heads, the first layer dense (Tencent 2026).
Result<Graph> build_hy_v3(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.layers = 80, .inner = 13'312, .heads = 64, .kv_heads = 8, .head = 128};
  defaults.vocabulary = 120'832;
  defaults.epsilon = 1e-5;
  DecoderSpec spec = read_llama(config, defaults);
  add_head_norms(spec);
  MoeSpec moe = read_sigmoid_experts(config, {192, 8, 1536, 1}, spec.layers[0].mlp->activation);
  moe.scale = config.number("router_scaling_factor", 2.826);
  moe.shared_bias = spec.layers[0].mlp->bias;
  const auto kinds = config.words("mlp_layer_types");
  for (size_t i = 0; i < spec.layers.size(); ++i)
    if (i < kinds.size() ? kinds[i] == "sparse" : i >= 1) make_sparse(spec.layers[i], moe);
  return finish_llama(request, spec, read_positions(config, 131'072));
}

Result<Graph> build_solar_open(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.layers = 48, .inner = 10'240, .heads = 64, .kv_heads = 8, .head = 128, .vocabulary = 196'608};
  defaults.rope.theta = 1e6;
  defaults.epsilon = 1e-5;
  DecoderSpec spec = read_llama(config, defaults);
  const MoeSpec moe = read_sigmoid_experts(config, {128, 8, 1280, 1}, spec.layers[0].mlp->activation);
  for (auto& layer : spec.layers) {
    layer.attention->output_bias = false;
    make_sparse(layer, moe);
  }
  return finish_llama(request, spec, read_positions(config, 131'072));
}

// Norms without biases, one layer for queries, keys and values.
Result<Graph> build_dbrx(const Request& request) {
  const Config& config = request.config;
  const Config attention = config.part("attn_config"), experts = config.part("ffn_config");
  DecoderSpec spec;
  spec.vocabulary = config.size("vocab_size", 32'000);
  spec.width = config.size("d_model|hidden_size");
  spec.norm = {NormKind::layer_without_bias, 1e-5, ""};
  spec.root = "transformer";
  spec.embedding = "wte";
  spec.layers_name = "blocks";
  spec.final_norm_name = "norm_f";
  spec.norm_names = {"norm_attn_norm.norm_1", "norm_attn_norm.norm_2"};
  const int64_t heads = config.size("n_heads|num_attention_heads", 16), kv_heads = attention.size("kv_n_heads", 1);
  if (spec.width % heads != 0 || heads % kv_heads != 0)
    config.fail("n_heads does not divide d_model, or kv_n_heads does not divide n_heads");
  LayerSpec layer;
  layer.mixer_scope = "norm_attn_norm.attn";
  layer.mlp_scope = "ffn";
  layer.attention =
      AttentionSpec{.heads = heads, .kv_heads = kv_heads, .head = std::max<int64_t>(1, spec.width / heads)};
  layer.attention->packed = "Wqkv";
  layer.attention->o = "out_proj";
  layer.attention->rope = read_rope(attention, layer.attention->head, {});
  MoeSpec moe{.experts = experts.size("moe_num_experts", 4),
              .top_k = experts.size("moe_top_k", 1),
              .width = experts.size("ffn_hidden_size", 3584)};
  moe.router = "router.layer";
  moe.normalise = true;
  moe.activation = read_activation(experts.part("ffn_act_fn"), "name", "silu");
  layer.moe = moe;
  spec.layers.assign(size_t(read_layer_count(config, "n_layers|num_hidden_layers")), layer);
  experts.ignore({"hidden_size"});
  const HeadSpec head = read_head(request);
  const int64_t positions = config.size("max_seq_len|max_position_embeddings", 2048);
  PLIM_TRY(config.finish());
  return build_decoder(request.name, spec, head, request.tokens(positions));
}

}  // namespace plimsoll
