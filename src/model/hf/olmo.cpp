// OLMo 1 to 3 (Groeneveld 2024, Ai2 2025): norms without parameters, then norms after each half of a layer.
#include "model/hf/llama.h"

namespace plimsoll {

Result<Graph> build_olmo(const Request& request) {
  const double theta = request.architecture.starts_with("Olmo3") ? 500'000 : 10'000;
  DecoderSpec spec = read_llama(request.config, {.vocabulary = 50'304, .rope = {.theta = theta}, .epsilon = 1e-5});
  const bool second = request.architecture.starts_with("Olmo2") || request.architecture.starts_with("Olmo3");
  spec.norm.kind = second ? NormKind::rms : NormKind::without_parameters;
  if (second) {
    spec.block = BlockForm::norm_after;
    spec.norm_names = {"post_attention_layernorm", "post_feedforward_layernorm"};
    for (auto& layer : spec.layers) {
      layer.attention->qk_norm = QkNorm::whole;
      layer.attention->head_norm = spec.norm;
    }
  }
  if (request.architecture.starts_with("Olmo3")) {
    const auto types = read_layer_types(
        request.config, int64_t(spec.layers.size()),
        [](int64_t i, int64_t) { return std::string((i + 1) % 4 != 0 ? "sliding_attention" : "full_attention"); }, 4);
    set_windows(request.config, spec, request.config.count("sliding_window", 4096), types);
  }
  return finish_llama(request, spec, read_positions(request.config, 2048));
}

}  // namespace plimsoll
