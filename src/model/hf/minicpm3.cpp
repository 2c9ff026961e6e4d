// MiniCPM 3 (OpenBMB 2024): Llama with latent attention and factors on embeddings, residuals and scores.
#include <fmt/format.h>

#include <cmath>

#include "model/hf/llama.h"

namespace plimsoll {
namespace {

LatentSpec read_latent(const Config& config, const DecoderSpec& spec) {
  LatentSpec latent;
  latent.heads = spec.layers[0].attention->heads;
  latent.q_rank = config.is_null("q_lora_rank") ? 0 : config.count("q_lora_rank", 768);
  latent.kv_rank = config.size("kv_lora_rank", 256);
  latent.nope = config.size("qk_nope_head_dim", 64);
  latent.turned = config.size("qk_rope_head_dim", 32);
  config.ignore({"qk_head_dim"});
  latent.value = config.size("v_head_dim", std::max<int64_t>(1, spec.width / latent.heads));
  latent.bias = spec.layers[0].attention->bias;
  latent.norm = spec.norm;
  latent.rope = read_rope(config, latent.turned, {});
  latent.scale = 1 / std::sqrt(double(latent.nope + latent.turned));
  return latent;
}

}  // namespace

Result<Graph> build_minicpm3(const Request& request) {
  const Config& config = request.config;
  LlamaDefaults defaults{.width = 2560, .layers = 62, .inner = 6400, .heads = 40, .vocabulary = 73'448, .tied = true};
  defaults.epsilon = 1e-5;
  DecoderSpec spec = read_llama(config, defaults);
  const LatentSpec latent = read_latent(config, spec);
  for (auto& layer : spec.layers) {
    layer.attention.reset();
    layer.latent = latent;
  }
  const double layers = double(spec.layers.size());
  spec.embedding_scale = config.number("scale_emb", 12);
  spec.residual_scale =
      (config.is_null("scale_depth") ? std::sqrt(layers) : config.number("scale_depth", 1.4)) / std::sqrt(layers);
  const int64_t base = config.is_null("dim_model_base") ? spec.width : config.size("dim_model_base", 256);
  spec.logit_scale = double(base) / double(spec.width);
  return finish_llama(request, spec, read_positions(config, 32'768));
}

}  // namespace plimsoll
