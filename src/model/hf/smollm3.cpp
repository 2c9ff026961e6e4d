// SmolLM 3 (Hugging Face 2025): Llama whose every fourth layer knows no positions.
#include "model/hf/llama.h"

namespace plimsoll {

Result<Graph> build_smollm3(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_llama(config, {.width = 2048,
                                         .layers = 36,
                                         .heads = 16,
                                         .kv_heads = 4,
                                         .vocabulary = 128'256,
                                         .tied = true,
                                         .rope = {.theta = 2e6}});
  const int64_t every = config.size("no_rope_layer_interval", 4);
  const auto turned = config.counts("no_rope_layers");
  for (size_t i = 0; i < spec.layers.size(); ++i)
    if (turned.size() == spec.layers.size() ? turned[i] == 0 : int64_t(i + 1) % every == 0)
      spec.layers[i].attention->rope.reset();
  add_qwen_windows(config, spec);
  return finish_llama(request, spec, read_positions(config, 32'768));
}

}  // namespace plimsoll
