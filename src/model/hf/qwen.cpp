// Qwen 2, 2.5 and 3 (Yang 2024, 2025): biases of queries, keys and values, or norms of their heads; some with experts.
#include <algorithm>

#include "model/hf/llama.h"

namespace plimsoll {

Result<Graph> build_qwen2(const Request& request) {
  DecoderSpec spec = read_llama(request.config, kQwen2);
  for (auto& layer : spec.layers) layer.attention->bias = true;
  add_qwen_windows(request.config, spec);
  for (auto& layer : spec.layers) layer.attention->output_bias = false;
  return finish_llama(request, spec, read_positions(request.config, 32'768));
}

void add_qwen_windows(const Config& config, DecoderSpec& spec) {
  const bool windows = config.flag("use_sliding_window", false);
  const int64_t window = config.count("sliding_window", windows ? 4096 : 0),
                full = config.count("max_window_layers", 28);
  if (!windows) return;
  const auto types = config.words("layer_types");
  for (size_t i = 0; i < spec.layers.size(); ++i)
    if (types.empty() ? int64_t(i) >= full : i < types.size() && types[i] == "sliding_attention")
      spec.layers[i].attention->window = window;
}

Result<Graph> build_qwen3(const Request& request) {
  DecoderSpec spec = read_llama(request.config, kQwen3);
  add_head_norms(spec);
  add_qwen_windows(request.config, spec);
  return finish_llama(request, spec, read_positions(request.config, 32'768));
}

void add_head_norms(DecoderSpec& spec) {
  for (auto& layer : spec.layers) {
    layer.attention->qk_norm = QkNorm::each_head;
    layer.attention->head_norm = spec.norm;
  }
}

void add_qwen_experts(const Config& config, DecoderSpec& spec, MoeSpec moe) {
  const int64_t every = config.size("decoder_sparse_step", 1);
  const auto dense = config.counts("mlp_only_layers");
  for (size_t i = 0; i < spec.layers.size(); ++i) {
    const bool sparse =
        (int64_t(i) + 1) % every == 0 && std::find(dense.begin(), dense.end(), int64_t(i)) == dense.end();
    if (!sparse) continue;
    moe.activation = spec.layers[i].mlp->activation;
    spec.layers[i].mlp.reset();
    spec.layers[i].moe = moe;
  }
}

Result<Graph> build_qwen2_moe(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.width = 2048, .layers = 24, .inner = 5632, .heads = 16, .vocabulary = 151'936};
  DecoderSpec spec = read_llama(config, defaults);
  const bool bias = config.flag("qkv_bias", true);
  for (auto& layer : spec.layers) {
    layer.attention->bias = bias;
    layer.attention->output_bias = false;
  }
  MoeSpec moe{.experts = config.size("num_experts", 60),
              .top_k = config.size("num_experts_per_tok", 4),
              .width = config.size("moe_intermediate_size", 1408)};
  moe.shared_width = config.size("shared_expert_intermediate_size", 5632);
  moe.shared_gate = true;
  moe.shared_name = "shared_expert";
  moe.normalise = config.flag("norm_topk_prob", false);
  add_qwen_experts(config, spec, moe);
  add_qwen_windows(config, spec);
  return finish_llama(request, spec, read_positions(config, 32'768));
}

DecoderSpec read_qwen3_moe(const Config& config, bool needs_sizes) {
  // As a part of Qwen3-VL it has other sizes where its file is silent.
  const bool part = !needs_sizes;
  LlamaDefaults defaults{
      .width = 2048, .layers = 24, .inner = 6144, .heads = part ? 16 : 32, .kv_heads = part ? 16 : 4};
  defaults.vocabulary = 151'936;
  defaults.needs_sizes = needs_sizes;
  DecoderSpec spec = read_llama(config, defaults);
  add_head_norms(spec);
  MoeSpec moe{.experts = config.size("num_experts|num_local_experts", part ? 60 : 128),
              .top_k = config.size("num_experts_per_tok", part ? 4 : 8),
              .width = config.size("moe_intermediate_size", part ? 1408 : 768)};
  moe.normalise = config.flag("norm_topk_prob", false);
  add_qwen_experts(config, spec, moe);
  add_qwen_windows(config, spec);
  return spec;
}

Result<Graph> build_qwen3_moe(const Request& request) {
  const DecoderSpec spec = read_qwen3_moe(request.config, true);
  return finish_llama(request, spec, read_positions(request.config, 32'768));
}

}  // namespace plimsoll
