// DeepSeek V2, V3 (2024) and V3.2 (2025), Kimi K2, GLM 4.7 Flash and GLM 5, Mistral Small 4: latent attention, many
// narrow experts beside shared ones, the first layers dense.
#include <cmath>

#include "model/hf/request.h"

namespace plimsoll {
namespace {

// What is fixed in the one and set in the other.
struct Generation {
  int64_t heads, inner, moe_inner, experts, shared, dense_layers, vocabulary;
  bool third;
  int64_t chosen = 8, q_rank = 1536, nope = 128, value = 128, groups = 8, chosen_groups = 4;
  double scale = 2.5;
  int64_t index_heads = 0;  // 0: every query sees all keys
  int64_t kv_rank = 512;
  bool by_share = false;  // the chosen experts' shares add up to one, though they are no sigmoids
};
constexpr Generation kV2{32, 11'008, 1407, 64, 2, 0, 102'400, false};
constexpr Generation kV3{128, 18'432, 2048, 256, 1, 3, 129'280, true};
constexpr Generation kV32{128, 18'432, 2048, 256, 1, 3, 129'280, true, 8, 1536, 128, 128, 8, 4, 2.5, 64};
constexpr Generation kGlmLite{20, 10'240, 1536, 64, 1, 1, 154'880, true, 4, 768, 192, 256, 1, 1, 1.8};
constexpr Generation kMistral4{32, 12'288, 2048, 128, 1, 0, 131'072, false, 4, 1024, 64, 128, 1, 1, 1, 0, 256, true};
constexpr Generation kGlm5{64, 12'288, 2048, 256, 1, 3, 154'880, true, 8, 2048, 192, 256, 1, 1, 2.5, 32};

LatentSpec read_latent(const Config& config, const Generation& g, const NormSpec& norm) {
  LatentSpec latent;
  latent.heads = config.size("num_attention_heads", g.heads);
  latent.q_rank = config.is_null("q_lora_rank") ? 0 : config.count("q_lora_rank", g.q_rank);
  latent.kv_rank = config.size("kv_lora_rank", g.kv_rank);
  latent.nope = config.size("qk_nope_head_dim", g.nope);
  latent.turned = config.size("qk_rope_head_dim", 64);
  latent.value = config.size("v_head_dim", g.value);
  if (g.index_heads > 0) {
    latent.index_heads = config.size("index_n_heads", g.index_heads);
    latent.index_head = config.size("index_head_dim", 128);
    config.ignore({"index_topk", "indexer_types", "index_topk_freq", "indexer_rope_interleave", "layer_types"});
  }
  latent.bias = config.flag("attention_bias", false);
  latent.norm = norm;
  latent.rope = read_rope(config, latent.turned, {.interleaved = true});
  latent.scale = 1 / std::sqrt(double(latent.nope + latent.turned));
  const Config scaling = config.part(config.has("rope_parameters") ? "rope_parameters" : "rope_scaling");
  const double all = scaling.number("mscale_all_dim", 0), factor = scaling.number("factor", 1);
  if (g.third && all != 0 && factor > 1) {
    const double scale = 0.1 * all * std::log(factor) + 1;
    latent.scale *= scale * scale;
  }
  return latent;
}

MoeSpec read_experts(const Config& config, const Generation& g) {
  MoeSpec moe;
  moe.experts = config.size("n_routed_experts|num_local_experts|num_experts", g.experts);
  moe.top_k = config.size("num_experts_per_tok", g.chosen);
  moe.width = config.size("moe_intermediate_size", g.moe_inner);
  moe.shared_width = moe.width * config.count("n_shared_experts", g.shared);
  moe.scale = config.number("routed_scaling_factor", g.third ? g.scale : 1);
  moe.normalise = config.flag("norm_topk_prob", g.third || g.by_share);
  moe.scores = g.third ? "sigmoid" : "softmax";
  moe.correction = g.third;
  const bool by_group = g.third || config.text("topk_method", "greedy") == "group_limited_greedy";
  moe.groups = by_group ? config.size("n_group", g.third ? g.groups : 1) : 1;
  moe.chosen_groups = by_group ? config.size("topk_group", g.third ? g.chosen_groups : 1) : 1;
  config.ignore({"n_group", "topk_group", "topk_method", "scoring_func", "moe_layer_freq", "num_mtp_layers"});
  return moe;
}

Result<Graph> build_deepseek(const Request& request, const Generation& g) {
  const Config& config = request.config;
  DecoderSpec spec;
  spec.vocabulary = config.size("vocab_size", g.vocabulary);
  spec.width = config.size("hidden_size");
  spec.norm.epsilon = config.number("rms_norm_eps", 1e-6);
  spec.tied = config.flag("tie_word_embeddings", false);
  LayerSpec layer;
  layer.latent = read_latent(config, g, spec.norm);
  layer.mlp = FeedForwardSpec{.width = config.size("intermediate_size", g.inner)};
  layer.mlp->activation = read_activation(config, "hidden_act", "silu");
  if (!g.third) layer.mlp->bias = config.flag("mlp_bias", false);
  spec.layers.assign(size_t(read_layer_count(config, "num_hidden_layers")), layer);
  MoeSpec moe = read_experts(config, g);
  moe.shared_bias = layer.mlp->bias;
  const auto kinds = config.words("mlp_layer_types");
  const auto dense = size_t(config.count("first_k_dense_replace", g.dense_layers));
  for (size_t i = 0; i < spec.layers.size(); ++i) {
    if (i < kinds.size() ? kinds[i] != "sparse" : i < dense) continue;
    spec.layers[i].mlp.reset();
    spec.layers[i].moe = moe;
  }
  config.ignore({"num_key_value_heads", "head_dim", "qk_head_dim", "num_nextn_predict_layers", "ep_size"});
  const HeadSpec head = read_head(request);
  const int64_t positions = config.size("max_position_embeddings", g.third ? 4096 : 2048);
  PLIM_TRY(config.finish());
  return build_decoder(request.name, spec, head, request.tokens(positions));
}

}  // namespace

Result<Graph> build_deepseek_v2(const Request& request) { return build_deepseek(request, kV2); }
Result<Graph> build_glm4_moe_lite(const Request& request) { return build_deepseek(request, kGlmLite); }
Result<Graph> build_glm_moe_dsa(const Request& request) { return build_deepseek(request, kGlm5); }
Result<Graph> build_mistral4(const Request& request) { return build_deepseek(request, kMistral4); }
Result<Graph> build_deepseek_v32(const Request& request) { return build_deepseek(request, kV32); }
Result<Graph> build_deepseek_v3(const Request& request) { return build_deepseek(request, kV3); }

}  // namespace plimsoll
