// Decoders that differ from Llama in a detail or two: Arcee, Seed-OSS, ERNIE 4.5, Helium, Hunyuan, Ministral, InternLM
// 3, Nemotron, EXAONE 4, dots.llm1 and CWM.
#include <fmt/format.h>

#include "model/hf/llama.h"

namespace plimsoll {
namespace {

std::string exaone_layer_kind(int64_t layer, int64_t pattern) {
  return (layer + 1) % pattern != 0 ? "sliding_attention" : "full_attention";
}

}  // namespace

// An MLP without a gate, its activation the square of a relu.
Result<Graph> build_arcee(const Request& request) {
  DecoderSpec spec = read_llama(
      request.config, {.width = 2560, .inner = 18'432, .vocabulary = 32'000, .activation = "relu2", .epsilon = 1e-5});
  for (auto& layer : spec.layers) layer.mlp->gated = false;
  return finish_llama(request, spec, read_positions(request.config, 4096));
}

// The same with layer norms, half of each head turned (NVIDIA 2024).
Result<Graph> build_nemotron(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.width = 6144, .inner = 24'576, .heads = 48, .vocabulary = 256'000, .activation = "relu2"};
  defaults.rope.fraction = 0.5;
  DecoderSpec spec = read_llama(config, defaults);
  spec.norm = {NormKind::layer, config.number("norm_eps", 1e-5), ""};
  for (auto& layer : spec.layers) layer.mlp->gated = false;
  return finish_llama(request, spec, read_positions(config, 4096));
}

Result<Graph> build_seed_oss(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(config, {.layers = 64,
                                         .inner = 27'648,
                                         .heads = 80,
                                         .kv_heads = 8,
                                         .head = 128,
                                         .vocabulary = 155'136,
                                         .attention_bias = true});
  const bool bias = config.flag("attention_out_bias", false);
  for (auto& layer : spec.layers) layer.attention->output_bias = bias;
  return finish_llama(request, spec, read_positions(config, 524'288));
}

Result<Graph> build_ernie4_5(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.width = 1024, .layers = 18, .inner = 3072, .heads = 16, .kv_heads = 2, .head = 128};
  defaults.vocabulary = 103'424;
  defaults.tied = true;
  defaults.rope = {.theta = 500'000, .interleaved = true};
  defaults.epsilon = 1e-5;
  DecoderSpec spec = read_llama(config, defaults);
  const bool bias = config.flag("use_bias", false);
  for (auto& layer : spec.layers) layer.attention->bias = layer.mlp->bias = bias;
  return finish_llama(request, spec, read_positions(config, 131'072));
}

Result<Graph> build_helium(const Request& request) {
  LlamaDefaults defaults{.width = 2560, .layers = 24, .inner = 7040, .heads = 20, .kv_heads = 20, .head = 128};
  defaults.vocabulary = 48'000;
  defaults.rope = {.theta = 100'000, .interleaved = true};
  defaults.epsilon = 1e-8;
  DecoderSpec spec = read_llama(request.config, defaults);
  // Its last product takes as many numbers as a token has, whatever the heads leave.
  if (spec.layers[0].attention->heads * spec.layers[0].attention->head != spec.width)
    request.config.fail("num_attention_heads times head_dim is not hidden_size, which a Helium needs");
  for (auto& layer : spec.layers) layer.attention->output_bias = false;
  return finish_llama(request, spec, read_positions(request.config, 4096));
}

// Norms of heads after they are turned.
Result<Graph> build_hunyuan(const Request& request) {
  DecoderSpec spec = read_llama(request.config, {.vocabulary = 290'943, .epsilon = 1e-5});
  add_head_norms(spec);
  for (auto& layer : spec.layers) {
    layer.attention->q_norm = "query_layernorm";
    layer.attention->k_norm = "key_layernorm";
    layer.attention->turned_first = true;
  }
  request.config.ignore({"attention_head_dim"});
  return finish_llama(request, spec, read_positions(request.config, 2048));
}

// Where some layers see a window, the others have no positions.
void add_exaone_windows(const Config& config, DecoderSpec& spec) {
  const int64_t window = config.is_null("sliding_window") ? 0 : config.count("sliding_window", 4096);
  const bool by_text = config.is_text("sliding_window_pattern");
  const std::string pattern = by_text ? config.text("sliding_window_pattern", "") : "";
  const int64_t every =
      by_text ? int64_t(std::max<size_t>(1, pattern.size())) : config.count("sliding_window_pattern", 4);
  if (window == 0 || every == 0) return;
  const auto types = read_layer_types(config, int64_t(spec.layers.size()), exaone_layer_kind, every);
  set_windows(config, spec, window, types);
  for (auto& layer : spec.layers)
    if (layer.attention->window == 0) layer.attention->rope.reset();
}

// Norms after each half of a layer (LG 2025).
Result<Graph> build_exaone4(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(config, {.inner = 16'384, .vocabulary = 102'400, .epsilon = 1e-5});
  spec.block = BlockForm::norm_after;
  spec.norm_names = {"post_attention_layernorm", "post_feedforward_layernorm"};
  add_head_norms(spec);
  add_exaone_windows(config, spec);
  return finish_llama(request, spec, read_positions(config, 2048));
}

Result<Graph> build_ernie4_5_moe(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.width = 2560, .layers = 28, .inner = 12'288, .heads = 20, .kv_heads = 4};
  defaults.vocabulary = 103'424;
  defaults.tied = true;
  defaults.rope = {.theta = 500'000, .interleaved = true};
  defaults.epsilon = 1e-5;
  DecoderSpec spec = read_llama(config, defaults);
  const bool bias = config.flag("use_bias", false);
  spec.head_bias = bias;
  MoeSpec moe{.experts = config.size("moe_num_experts|num_experts", 64),
              .top_k = config.size("moe_k|num_experts_per_tok", 6),
              .width = config.side("moe_intermediate_size", 1536)};
  moe.shared_width = moe.width * config.count("moe_num_shared_experts", 2);
  moe.shared_bias = bias;
  moe.normalise = moe.correction = moe.correction_is_parameter = true;
  moe.correction_name = "gate.moe_statics.e_score_correction_bias";
  moe.activation = spec.layers[0].mlp->activation;
  const auto layers = int64_t(spec.layers.size());
  const int64_t first = config.count("moe_layer_start_index", 1), every = config.size("moe_layer_interval", 1);
  const auto stated = int64_t(config.number("moe_layer_end_index", -1));
  const int64_t last = stated == -1 ? layers - 1 : stated;
  for (int64_t i = 0; i < layers; ++i) {
    LayerSpec& layer = spec.layers[size_t(i)];
    layer.attention->bias = layer.mlp->bias = bias;
    if ((i + 1) % every != 0 || i < first || i > last) continue;
    layer.mlp.reset();
    layer.moe = moe;
  }
  config.ignore({"moe_capacity", "moe_use_aux_free", "num_nextn_predict_layers", "moe_gate"});
  return finish_llama(request, spec, read_positions(config, 131'072));
}

// DeepSeek's experts after norms of each head (rednote 2025).
Result<Graph> build_dots1(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(config, {.inner = 10'944, .vocabulary = 152'064});
  add_head_norms(spec);
  MoeSpec moe{.experts = config.size("n_routed_experts|num_local_experts", 128),
              .top_k = config.size("num_experts_per_tok", 6),
              .width = config.size("moe_intermediate_size", 1408)};
  moe.shared_width = moe.width * config.count("n_shared_experts", 2);
  moe.scores = "sigmoid";
  moe.correction = true;
  moe.normalise = config.flag("norm_topk_prob", false);
  moe.scale = config.number("routed_scaling_factor", 1);
  moe.groups = config.size("n_group", 1);
  moe.chosen_groups = config.size("topk_group", 1);
  moe.activation = spec.layers[0].mlp->activation;
  const auto dense = size_t(config.count("first_k_dense_replace", 0));
  for (size_t i = dense; i < spec.layers.size(); ++i) {
    spec.layers[i].mlp.reset();
    spec.layers[i].moe = moe;
  }
  add_qwen_windows(config, spec);
  config.ignore({"scoring_func", "topk_method", "moe_layer_freq", "num_nextn_predict_layers"});
  return finish_llama(request, spec, read_positions(config, 2048));
}

// Three layers of four see a window (Meta 2025).
Result<Graph> build_cwm(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.width = 6144, .layers = 64, .inner = 21'504, .heads = 48, .kv_heads = 8, .head = 128};
  defaults.vocabulary = 128'256;
  defaults.rope.theta = 1e6;
  defaults.epsilon = 1e-5;
  DecoderSpec spec = read_llama(config, defaults);
  const auto types = read_layer_types(
      config, int64_t(spec.layers.size()),
      [](int64_t layer, int64_t pattern) -> std::string {
        return layer % pattern == 0 ? "full_attention" : "sliding_attention";
      },
      config.size("global_window_pattern", 4));
  set_windows(config, spec, config.count("sliding_window", 8192), types);
  return finish_llama(request, spec, read_positions(config, 131'072));
}

Result<Graph> build_ministral3(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.layers = 34, .inner = 14'336, .kv_heads = 8, .head = 128, .vocabulary = 131'072};
  defaults.rope.theta = 1e6;
  defaults.epsilon = 1e-5;
  DecoderSpec spec = read_llama(config, defaults);
  for (auto& layer : spec.layers) layer.attention->window = config.count("sliding_window", 0);
  config.part("rope_parameters").ignore({"llama_4_scaling_beta"});
  return finish_llama(request, spec, read_positions(config, 262'144));
}

Result<Graph> build_ministral(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(config, {.inner = 14'336, .kv_heads = 8});
  const int64_t window = config.is_null("sliding_window") ? 0 : config.count("sliding_window", 4096);
  const auto types = config.words("layer_types");
  if (!types.empty() && types.size() == spec.layers.size()) set_windows(config, spec, window, types);
  else
    for (auto& layer : spec.layers) layer.attention->window = window;
  return finish_llama(request, spec, read_positions(config, 131'072));
}

Result<Graph> build_internlm3(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.layers = 48, .inner = 10'240, .kv_heads = 2, .head = 128, .vocabulary = 128'512};
  defaults.epsilon = 1e-5;
  DecoderSpec spec = read_llama(config, defaults);
  const bool bias = config.flag("qkv_bias|bias|attention_bias|mlp_bias", false);
  for (auto& layer : spec.layers) layer.attention->bias = layer.mlp->bias = bias;
  return finish_llama(request, spec, read_positions(config, 32'768));
}

}  // namespace plimsoll
