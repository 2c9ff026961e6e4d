// Qwen3-Next and Qwen3.5 (2025, 2026): three layers of a gated delta rule for each one of attention, whose output has a
// gate of its own; a quarter of each head is turned. With experts or without; the later ones see pictures.
#include <fmt/format.h>

#include "model/hf/llama.h"
#include "model/hf/qwen_vision.h"

namespace plimsoll {
namespace {

std::string next_layer_kind(int64_t layer, int64_t every) {
  return (layer + 1) % every != 0 ? "linear_attention" : "full_attention";
}

DeltaSpec read_delta(const Config& config, double epsilon, bool packed) {
  DeltaSpec delta;
  delta.key_heads = config.size("linear_num_key_heads", 16);
  delta.value_heads = config.size("linear_num_value_heads", 32);
  delta.key = config.size("linear_key_head_dim", 128);
  delta.value = config.size("linear_value_head_dim", 128);
  delta.kernel = config.size("linear_conv_kernel_dim", 4);
  delta.packed = packed;
  delta.epsilon = epsilon;
  if (delta.value_heads % delta.key_heads != 0)
    config.fail(fmt::format("linear_num_key_heads is {}, which does not divide linear_num_value_heads {}",
                            delta.key_heads, delta.value_heads));
  return delta;
}

void set_mixers(const Config& config, DecoderSpec& spec, bool packed) {
  const int64_t every = config.size("full_attention_interval", 4);
  const auto types = read_layer_types(config, int64_t(spec.layers.size()), next_layer_kind, every);
  const DeltaSpec delta = read_delta(config, spec.norm.epsilon, packed);
  for (size_t i = 0; i < spec.layers.size(); ++i) {
    LayerSpec& layer = spec.layers[i];
    if (types[i] == "full_attention") {
      layer.attention->output_gate = true;
      continue;
    }
    if (types[i] != "linear_attention")
      config.fail(fmt::format("layer_types has {}, expected full_attention or linear_attention", types[i]));
    layer.attention.reset();
    layer.delta = delta;
    layer.mixer_scope = "linear_attn";
  }
}

MoeSpec read_next_experts(const Config& config, int64_t experts, int64_t chosen) {
  MoeSpec moe{.experts = config.size("num_experts", experts),
              .top_k = config.size("num_experts_per_tok", chosen),
              .width = config.size("moe_intermediate_size", 512)};
  moe.shared_width = config.size("shared_expert_intermediate_size", 512);
  moe.shared_gate = true;
  moe.shared_name = "shared_expert";
  moe.normalise = config.flag("norm_topk_prob", true);
  return moe;
}

LlamaDefaults next_defaults() {
  LlamaDefaults defaults{.width = 2048, .layers = 48, .inner = 5632, .heads = 16, .kv_heads = 2, .head = 256};
  defaults.vocabulary = 151'936;
  defaults.rope.fraction = 0.25;
  return defaults;
}

DecoderSpec read_third_and_a_half(const Config& config, bool experts) {
  LlamaDefaults defaults = next_defaults();
  defaults.vocabulary = 248'320;
  defaults.layers = experts ? 40 : 32;
  if (!experts) {
    defaults.width = 4096;
    defaults.inner = 12'288;
    defaults.kv_heads = 4;
  }
  DecoderSpec spec = read_llama(config, defaults);
  spec.norm.written_as = "gemma";
  add_head_norms(spec);
  set_mixers(config, spec, false);
  if (experts) add_qwen_experts(config, spec, read_next_experts(config, 256, 8));
  config.ignore({"attn_output_gate", "mtp_num_hidden_layers", "mtp_use_dedicated_embeddings", "mlp_only_layers",
                 "full_attention_interval", "mamba_ssm_dtype", "intermediate_size"});
  return spec;
}

bool has_experts(const Request& request) { return request.architecture.starts_with("Qwen3_5Moe"); }

}  // namespace

Result<Graph> build_qwen3_next(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(config, next_defaults());
  spec.norm.written_as = "gemma";
  add_head_norms(spec);
  set_mixers(config, spec, true);
  if (config.count("num_experts", 512) > 0) add_qwen_experts(config, spec, read_next_experts(config, 512, 10));
  config.ignore({"full_attention_interval", "decoder_sparse_step", "mlp_only_layers"});
  return finish_llama(request, spec, read_positions(config, 32'768));
}

Result<Graph> build_qwen3_5_text(const Request& request) {
  return finish_llama(request, read_third_and_a_half(request.config, has_experts(request)),
                      read_positions(request.config, 32'768));
}

Result<Graph> build_qwen3_5(const Request& request) {
  const Config& config = request.config;
  // A causal model may come with the whole's configuration or with its text part's.
  if (request.ends_with("ForCausalLM") && !config.has("text_config")) return build_qwen3_5_text(request);
  const Config text = config.part("text_config");
  const QwenVision vision = read_qwen3_vision(config.part("vision_config"), false);
  Sight sight = [vision](Builder& b) { return look(b, vision); };
  if (request.ends_with("ForCausalLM")) sight = nullptr;
  const Request part{text,
                     request.name,
                     request.architecture,
                     request.model_type,
                     request.sequence,
                     sight,
                     config.flag("tie_word_embeddings", false)};
  return build_qwen3_5_text(part);
}

}  // namespace plimsoll
