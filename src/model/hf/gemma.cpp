// Gemma 1 to 3 (Google, 2024, 2025): wide heads, embeddings scaled by the root of the width, a gated GELU. From the
// second on norms stand before and after each half of a layer, and most layers see only a window; the third has norms
// of each head. The stored scales of norms are 1 + w where transformers stores w.
#include <fmt/format.h>

#include <cmath>

#include "model/hf/gemma.h"
#include "model/hf/llama.h"

namespace plimsoll {
namespace {

std::string second_is_full(int64_t layer, int64_t pattern) {
  return (layer + 1) % pattern != 0 ? "sliding_attention" : "full_attention";
}

Result<Graph> finish(const Request& request, const DecoderSpec& spec, int64_t positions) {
  const HeadSpec head = read_head(request);
  PLIM_TRY(request.config.finish());
  return build_decoder(request.name, spec, head, request.tokens(read_positions(request.config, positions)));
}

DecoderSpec read_gemma(const Config& config, const LlamaDefaults& defaults) {
  DecoderSpec spec = read_llama(config, defaults);
  spec.norm.written_as = "gemma";
  spec.embedding_scale = std::sqrt(double(spec.width));
  config.ignore({"use_bidirectional_attention"});
  return spec;
}

void add_sandwich(const Config& config, DecoderSpec& spec, int64_t window, int64_t pattern) {
  spec.block = BlockForm::sandwich;
  spec.logit_softcap = config.number("final_logit_softcapping", 0);
  const double scalar = config.number("query_pre_attn_scalar", 256),
               softcap = config.number("attn_logit_softcapping", 0);
  if (!(scalar > 0)) config.fail(fmt::format("query_pre_attn_scalar is {}, expected more than 0", scalar));
  const int64_t every = config.size("sliding_window_pattern|_sliding_window_pattern", pattern);
  const auto types = read_layer_types(config, int64_t(spec.layers.size()), second_is_full, every);
  for (auto& layer : spec.layers) {
    layer.attention->scale = 1 / std::sqrt(scalar);
    layer.attention->softcap = softcap;
  }
  set_windows(config, spec, config.count("sliding_window", window), types);
}

constexpr const char* kGelu = "gelu_pytorch_tanh";

// Gemma 2's sizes, which Gemma 3 kept.
LlamaDefaults gemma2_defaults() {
  LlamaDefaults defaults{.width = 2304,
                         .layers = 26,
                         .inner = 9216,
                         .heads = 8,
                         .kv_heads = 4,
                         .head = 256,
                         .vocabulary = 256'000,
                         .tied = true};
  defaults.activation = kGelu;
  return defaults;
}

}  // namespace

DecoderSpec read_gemma3_text(const Config& config, bool needs_sizes) {
  LlamaDefaults defaults = gemma2_defaults();
  defaults.vocabulary = 262'208;
  defaults.needs_sizes = needs_sizes;
  defaults.rope = {.theta = 1e6, .kind = "full_attention"};
  DecoderSpec spec = read_gemma(config, defaults);
  add_sandwich(config, spec, 4096, 6);
  const double local = config.number("rope_local_base_freq", 10'000);
  const int64_t head = spec.layers[0].attention->head;
  // What scales positions is for the layers that see all of them.
  RopeSpec near;
  for (int64_t i = 0; i < head / 2; ++i) near.frequencies.push_back(std::pow(local, -2.0 * double(i) / double(head)));
  const auto near_rope = std::make_shared<const RopeSpec>(std::move(near));
  for (auto& layer : spec.layers)
    if (layer.attention->window > 0) layer.attention->rope = near_rope;
  add_head_norms(spec);
  config.part("rope_parameters").ignore({"sliding_attention"});
  return spec;
}

Result<Graph> build_gemma(const Request& request) {
  LlamaDefaults defaults{.width = 3072,
                         .layers = 28,
                         .inner = 24'576,
                         .heads = 16,
                         .kv_heads = 16,
                         .head = 256,
                         .vocabulary = 256'000,
                         .tied = true};
  defaults.activation = kGelu;
  DecoderSpec spec = read_gemma(request.config, defaults);
  return finish(request, spec, 8192);
}

Result<Graph> build_gemma2(const Request& request) {
  DecoderSpec spec = read_gemma(request.config, gemma2_defaults());
  spec.logit_softcap = 30;
  add_sandwich(request.config, spec, 4096, 2);
  if (!request.config.has("final_logit_softcapping") && !request.config.is_null("final_logit_softcapping"))
    spec.logit_softcap = 30;
  if (!request.config.has("attn_logit_softcapping") && !request.config.is_null("attn_logit_softcapping"))
    for (auto& layer : spec.layers) layer.attention->softcap = 50;
  return finish(request, spec, 8192);
}

// Gemma 2 without the norms after each half of a layer, trained so that no text can be found in it again (2025).
Result<Graph> build_vaultgemma(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_gemma(config, gemma2_defaults());
  add_sandwich(config, spec, 4096, 2);
  spec.block = BlockForm::sequential;
  spec.norm_names = {"input_layernorm", "pre_feedforward_layernorm"};
  return finish(request, spec, 8192);
}

Result<Graph> build_gemma3_text(const Request& request) {
  const DecoderSpec spec = read_gemma3_text(request.config, true);
  return finish(request, spec, 131'072);
}

}  // namespace plimsoll
