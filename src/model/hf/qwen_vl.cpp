// Qwen2-VL, Qwen2.5-VL and Qwen3-VL (Wang 2024, Bai 2025): Qwen's decoders with pictures in their text.
#include "model/hf/llama.h"
#include "model/hf/qwen_vision.h"

namespace plimsoll {
namespace {

// Older files have the text's keys beside the picture's part.
Config text_of(const Config& config) { return config.has("text_config") ? config.part("text_config") : config; }

Result<Graph> finish(const Request& request, const Config& text, const DecoderSpec& spec, const QwenVision& vision,
                     bool tied, int64_t positions) {
  if (vision.output != spec.width)
    request.config.fail("the vision part does not end in the width of the text: out_hidden_size is not hidden_size");
  const Sight sight = [vision](Builder& b) { return look(b, vision); };
  const Request part{text, request.name, request.architecture, request.model_type, request.sequence, sight, tied};
  return finish_llama(part, spec, read_positions(text, positions));
}

Result<Graph> build_second(const Request& request, const QwenVision& vision) {
  const Config& config = request.config;
  const Config text = text_of(config);
  LlamaDefaults defaults{.width = 8192, .layers = 80, .inner = 29'568, .heads = 64, .kv_heads = 8};
  defaults.vocabulary = 152'064;
  defaults.needs_sizes = false;
  defaults.rope.theta = 1e6;
  defaults.epsilon = 1e-5;
  DecoderSpec spec = read_llama(text, defaults);
  for (auto& layer : spec.layers) {
    layer.attention->bias = true;
    layer.attention->output_bias = false;
  }
  add_qwen_windows(text, spec);
  const bool tied = config.flag("tie_word_embeddings", false) || text.flag("tie_word_embeddings", false);
  return finish(request, text, spec, vision, tied, 32'768);
}

}  // namespace

Result<Graph> build_qwen2_vl(const Request& request) {
  return build_second(request, read_qwen2_vision(request.config.part("vision_config")));
}

Result<Graph> build_qwen2_5_vl(const Request& request) {
  return build_second(request, read_qwen2_5_vision(request.config.part("vision_config")));
}

Result<Graph> build_qwen3_vl(const Request& request) {
  const Config& config = request.config;
  const Config text = config.part("text_config");
  const QwenVision vision = read_qwen3_vision(config.part("vision_config"), true);
  const bool experts = request.architecture.starts_with("Qwen3VLMoe");
  LlamaDefaults defaults = kQwen3;
  defaults.needs_sizes = false;
  defaults.rope.theta = 500'000;
  DecoderSpec spec;
  if (experts) {
    spec = read_qwen3_moe(text, false);
  } else {
    spec = read_llama(text, defaults);
    add_head_norms(spec);
  }
  return finish(request, text, spec, vision, config.flag("tie_word_embeddings", false), 128'000);
}

}  // namespace plimsoll
