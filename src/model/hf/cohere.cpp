// Command R (Cohere 2024): attention and MLP side by side, and in the second most layers see a window.
#include "model/hf/llama.h"

namespace plimsoll {

Result<Graph> build_cohere(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(config, {.width = 8192,
                                         .layers = 40,
                                         .inner = 22'528,
                                         .heads = 64,
                                         .vocabulary = 256'000,
                                         .tied = true,
                                         .rope = {.theta = 500'000, .interleaved = true},
                                         .epsilon = 1e-5});
  spec.norm.kind = NormKind::layer_without_bias;
  spec.norm.written_as = "cohere";
  spec.block = BlockForm::parallel;
  spec.logit_scale = config.number("logit_scale", 0.0625);
  if (config.flag("use_qk_norm", false)) config.fail("use_qk_norm is true, which is not supported");
  if (request.architecture.starts_with("Cohere2")) {
    const auto types = read_layer_types(
        config, int64_t(spec.layers.size()),
        [](int64_t i, int64_t pattern) {
          return std::string((i + 1) % pattern != 0 ? "sliding_attention" : "full_attention");
        },
        config.size("sliding_window_pattern", 4));
    set_windows(config, spec, config.count("sliding_window", 4096), types);
    for (auto& layer : spec.layers)
      if (layer.attention->window == 0) layer.attention->rope.reset();
  }
  return finish_llama(request, spec, read_positions(config, 8192));
}

}  // namespace plimsoll
