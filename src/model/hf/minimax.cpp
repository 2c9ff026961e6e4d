// MiniMax-Text-01 (2025): most layers are lightning attention, and a half's input counts more than what it adds.
// MiniMax M2 (2025): norms of all queries and keys together, and many experts chosen by sigmoids.
#include <cmath>

#include "model/hf/llama.h"

namespace plimsoll {
namespace {

// Of each head, slower in later layers.
std::vector<double> lightning_slopes(int64_t heads, size_t layer, size_t layers) {
  constexpr double kAlmostNone = 1e-5;
  const double factor = 1 - double(layer) / (double(layers) - 1 + kAlmostNone) + kAlmostNone;
  std::vector<double> slopes;
  for (int64_t i = 1; i <= heads; ++i) slopes.push_back(std::pow(2, -8.0 * double(i) / double(heads)) * factor);
  return slopes;
}

// By layer_types, by the first files' list of numbers, else every second layer.
std::vector<bool> read_lightning(const Config& config, size_t layers) {
  const auto types = config.words("layer_types");
  const auto numbers = config.counts("attn_type_list");
  if ((!types.empty() && types.size() != layers) || (!numbers.empty() && numbers.size() != layers))
    config.fail("layer_types or attn_type_list has not one entry for each layer");
  std::vector<bool> lightning;
  for (size_t i = 0; i < layers; ++i)
    lightning.push_back(i < types.size()     ? types[i] == "linear_attention"
                        : i < numbers.size() ? numbers[i] == 0
                                             : i % 2 == 1);
  return lightning;
}

}  // namespace

Result<Graph> build_minimax(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.inner = 14'336, .kv_heads = 8, .rope = {.theta = 1e6}, .epsilon = 1e-5};
  if (config.has("rotary_dim"))
    defaults.rope.fraction = double(config.size("rotary_dim")) / double(config.size("head_dim", 128));
  DecoderSpec spec = read_llama(config, defaults);
  spec.block = BlockForm::sum_of_normed;
  MoeSpec moe{.experts = config.size("num_local_experts|num_experts", 8),
              .top_k = config.size("num_experts_per_tok", 2),
              .width = spec.layers[0].mlp->width};
  moe.activation = spec.layers[0].mlp->activation;
  moe.normalise = true;
  const auto number = [&](const std::string& today, const std::string& first) {
    return config.number(today + "_factor|layernorm_" + first, 1);
  };
  const double full[] = {number("full_attn_alpha", "full_attention_alpha"),
                         number("full_attn_beta", "full_attention_beta")};
  const double linear[] = {number("linear_attn_alpha", "linear_attention_alpha"),
                           number("linear_attn_beta", "linear_attention_beta")};
  const double mlp[] = {number("mlp_alpha", "mlp_alpha"), number("mlp_beta", "mlp_beta")};
  const std::vector<bool> lightning = read_lightning(config, spec.layers.size());
  for (size_t i = 0; i < spec.layers.size(); ++i) {
    LayerSpec& layer = spec.layers[i];
    layer.mlp.reset();
    layer.moe = moe;
    layer.mixer_keeps = lightning[i] ? linear[0] : full[0];
    layer.mixer_out_scale = lightning[i] ? linear[1] : full[1];
    layer.mlp_keeps = mlp[0];
    layer.mlp_out_scale = mlp[1];
    if (!lightning[i]) continue;
    const int64_t heads = layer.attention->heads;
    layer.lightning =
        LightningSpec{heads, layer.attention->head, lightning_slopes(heads, i, spec.layers.size()), moe.activation};
    layer.attention.reset();
  }
  if (config.count("shared_intermediate_size", 0) > 0) config.fail("shared_intermediate_size is not supported");
  config.ignore({"block_size", "sliding_window", "postnorm", "shared_moe_mode", "shared_intermediate_size"});
  return finish_llama(request, spec, read_positions(config, 131'072));
}

Result<Graph> build_minimax_m2(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.width = 3072,
                         .layers = 62,
                         .inner = 1536,
                         .heads = 48,
                         .kv_heads = 8,
                         .head = 128,
                         .vocabulary = 200'064,
                         .rope = {.theta = 5e6}};
  const int64_t head = config.size("head_dim", 128);
  defaults.rope.fraction = double(config.size("rotary_dim", head)) / double(head);
  DecoderSpec spec = read_llama(config, defaults);
  for (auto& layer : spec.layers) {
    layer.attention->qk_norm = QkNorm::whole;
    layer.attention->head_norm = spec.norm;
    layer.attention->bias = false;
    layer.moe = MoeSpec{.experts = config.size("num_local_experts|num_experts", 256),
                        .top_k = config.size("num_experts_per_tok", 8),
                        .width = layer.mlp->width};
    layer.moe->correction = true;
    layer.moe->correction_name = "e_score_correction_bias";
    layer.moe->scores = "sigmoid";
    layer.moe->normalise = true;
    layer.moe->activation = layer.mlp->activation;
    layer.mlp.reset();
  }
  config.ignore({"use_routing_bias", "shared_intermediate_size", "qk_norm_type", "attn_type_list"});
  return finish_llama(request, spec, read_positions(config, 196'608));
}

}  // namespace plimsoll
