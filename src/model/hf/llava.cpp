// Networks of text that read pictures through an encoder made for itself: LLaVA (Liu 2023), Mistral Small 3 and
// Pixtral (2025), PaliGemma (2024), Idefics 3 and SmolVLM (2024), InternVL 3 and LFM2-VL (2025).
#include <fmt/format.h>

#include "model/hf/towers.h"

namespace plimsoll {
namespace {

// -2, or a list of layers whose states are read side by side.
std::vector<int64_t> read_feature_layers(const Config& config, double fallback) {
  std::vector<int64_t> layers;
  if (config.is_list("vision_feature_layer"))
    for (const double layer : config.numbers("vision_feature_layer")) layers.push_back(int64_t(layer));
  else layers.push_back(int64_t(config.number("vision_feature_layer", fallback)));
  if (layers.empty()) config.fail("vision_feature_layer is an empty list");
  return layers;
}

struct Projector {
  int64_t width = 1;  // of the text
  bool bias = true;
  std::string activation = "gelu", up = "multi_modal_projector.linear_1", down = "multi_modal_projector.linear_2";
};

ValueId project(Builder& b, const Projector& spec, ValueId x) {
  x = activate(b, "multi_modal_projector.act", b.linear(spec.up, x, spec.width, spec.bias), spec.activation);
  return b.linear(spec.down, x, spec.width, spec.bias);
}

// ratio × ratio neighbours become one token that is as many times as wide.
ValueId shuffled(Builder& b, const Tower& tower, ValueId x, int64_t ratio) {
  if (b.failed()) return x;
  const int64_t side = tower.vision.image / tower.vision.patch / std::max<int64_t>(1, ratio) * ratio;
  const int64_t used = side * side;
  if (used > 0 && used < b.shape(x)[1]) {
    const int64_t rest = b.shape(x)[1] - used;
    x = b.apply_many("whole_squares", "split", {x, b.constant("whole_squares.sizes", integer_tensor({used, rest}))},
                     {{"axis", int64_t{1}}}, 2)[0];
  }
  if (used == 0) b.fail(user_error("the picture has fewer patches than are merged into one token"));
  return b.reshape("shuffled", x, {0, used / (ratio * ratio), -1});
}

Projector read_projector(const Config& config, const Config& text, int64_t width, bool bias) {
  Projector spec;
  spec.width = text.size("hidden_size", width);
  spec.bias = config.flag("multimodal_projector_bias", bias);
  spec.activation = read_activation(config, "projector_hidden_act", "gelu");
  return spec;
}

// What transformers takes where the file has no encoder of pictures.
Config usual_cohere_vision(const Config& config, bool aya) {
  return config.has("vision_config") ? config.part("vision_config") : usual_part(aya ? "aya_vision" : "cohere2_vision");
}

}  // namespace

Result<Graph> build_llava(const Request& request) {
  const Config& config = request.config;
  const Config text = config.part("text_config"), pictures = config.part("vision_config");
  const bool onevision = request.architecture.starts_with("LlavaOnevision");
  const bool newline = onevision || request.architecture.starts_with("LlavaNext");
  const Tower tower = config.has("vision_config")
                          ? read_tower(pictures, onevision ? "siglip_vision_model" : "clip_vision_model")
                          : read_tower(usual_part(onevision ? "llava_onevision" : "llava"), "clip_vision_model");
  const Projector projector = read_projector(config, text, 4096, true);
  const auto layers = read_feature_layers(config, onevision ? -1 : -2);
  const bool whole = config.text("vision_feature_select_strategy", onevision ? "full" : "default") == "full";
  bool tied = config.flag("tie_word_embeddings", false);
  if (!newline || onevision) tied = tied || text.flag("tie_word_embeddings", false);
  const Sight sight = [=](Builder& b) {
    ValueId x = look_through(b, tower, layers);
    if (!whole && !tower.vision.tokens.empty()) x = without_first_tokens(b, "patches", x, 1);
    if (newline) b.parameter("image_newline", {projector.width});
    return Seen{project(b, projector, x), {}};
  };
  config.ignore(
      {"image_seq_length", "vision_aspect_ratio", "image_grid_pinpoints", "use_image_newline_parameter", "vocab_size"});
  return build_text_part(request, text, onevision ? "qwen2" : "llama", tied, sight);
}

Result<Graph> build_mistral3(const Request& request) {
  const Config& config = request.config;
  const Config text = config.part("text_config");
  const Tower tower =
      read_tower(config.has("vision_config") ? config.part("vision_config") : usual_part("mistral3"), "pixtral");
  const Projector projector = read_projector(config, text, 5120, false);
  const auto layers = read_feature_layers(config, -1);
  const int64_t merge = config.size("spatial_merge_size", 2);
  const Sight sight = [=](Builder& b) {
    ValueId x = look_through(b, tower, layers);
    const int64_t width = tower.vision.encoder.width * int64_t(layers.size());
    x = norm(b, "multi_modal_projector.norm", x, {NormKind::rms, 1e-5, "llama"});
    x = shuffled(b, tower, x, merge);
    x = b.linear("multi_modal_projector.patch_merger.merging_layer", x, width, false);
    return Seen{project(b, projector, x), {}};
  };
  return build_text_part(request, text, "mistral", config.flag("tie_word_embeddings", true), sight);
}

Result<Graph> build_paligemma(const Request& request) {
  const Config& config = request.config;
  const Config text = config.part("text_config");
  const Tower tower = read_tower(config.has("vision_config") ? config.part("vision_config") : usual_part("paligemma"),
                                 "siglip_vision_model");
  const int64_t width = config.size("projection_dim", 2048);
  config.ignore({"hidden_size", "vocab_size"});
  text.ignore({"num_image_tokens"});
  const Sight sight = [=](Builder& b) {
    return Seen{b.linear("multi_modal_projector.linear", look_through(b, tower, {-1}), width), {}};
  };
  return build_text_part(request, text, "gemma", config.flag("tie_word_embeddings", true), sight);
}

// Aya Vision and Command A Vision (Cohere 2025): neighbours side by side, then a gated product.
Result<Graph> build_cohere_vision(const Request& request) {
  const Config& config = request.config;
  const Config text = config.part("text_config");
  const bool aya = request.architecture.starts_with("AyaVision");
  const Tower tower = read_tower(usual_cohere_vision(config, aya), "siglip_vision_model");
  const int64_t width = text.size("hidden_size", 8192), ratio = config.size("downsample_factor", 2),
                inner = config.size("alignment_intermediate_size", aya ? width : 36'864);
  const double epsilon = config.number("adapter_layer_norm_eps", 1e-6);
  const auto layers = read_feature_layers(config, -1);
  if (inner % 2 != 0) config.fail("alignment_intermediate_size is not even, and half of it is a gate");
  config.ignore({"vocab_size", "hidden_size", "vision_feature_select_strategy"});
  const Sight sight = [=](Builder& b) {
    ValueId x = shuffled(b, tower, look_through(b, tower, layers), ratio);
    if (aya) x = norm(b, "multi_modal_projector.layernorm", x, {NormKind::layer, epsilon, ""});
    x = b.linear("multi_modal_projector.linear_1", x, inner);
    const auto halves = split_last(b, "multi_modal_projector.split", x, {inner / 2, inner / 2});
    x = b.apply("multi_modal_projector.gated", "mul",
                {activate(b, "multi_modal_projector.act", halves[1], "silu"), halves[0]});
    return Seen{b.linear("multi_modal_projector.linear_2", x, width), {}};
  };
  return build_text_part(request, text, "cohere2", config.flag("tie_word_embeddings", true), sight);
}

// Four neighbours side by side, through two products of which the first is wide (Liquid AI 2025).
Result<Graph> build_lfm2_vl(const Request& request) {
  const Config& config = request.config;
  const Config text = config.part("text_config");
  const Tower tower = read_tower(config.part("vision_config"), "siglip2_vision_model");
  const int64_t ratio = config.size("downsample_factor", 2), inner = config.size("projector_hidden_size", 2560),
                width = text.size("hidden_size", 2560);
  const bool bias = config.flag("projector_bias", true), normed = config.flag("projector_use_layernorm", true);
  const std::string activation = read_activation(config, "projector_hidden_act", "gelu");
  const auto layers = read_feature_layers(config, -1);
  config.ignore({"vocab_size", "hidden_size", "encoder_patch_size", "max_num_patches"});
  const Sight sight = [=](Builder& b) {
    ValueId x = shuffled(b, tower, look_through(b, tower, layers), ratio);
    if (normed) x = norm(b, "multi_modal_projector.layer_norm", x, {NormKind::layer, 1e-5, ""});
    x = activate(b, "multi_modal_projector.act", b.linear("multi_modal_projector.linear_1", x, inner, bias),
                 activation);
    return Seen{b.linear("multi_modal_projector.linear_2", x, width, bias), {}};
  };
  return build_text_part(request, text, "lfm2", config.flag("tie_word_embeddings", true), sight);
}

Result<Graph> build_idefics3(const Request& request) {
  const Config& config = request.config;
  const Config text = config.part("text_config");
  const Tower tower = read_tower(config.part("vision_config"), "idefics3_vision");
  const int64_t ratio = config.size("scale_factor", 2), width = text.size("hidden_size", 4096);
  const Sight sight = [=](Builder& b) {
    const ValueId x = shuffled(b, tower, look_through(b, tower, {-1}), ratio);
    return Seen{b.linear("connector.modality_projection.proj", x, width, false), {}};
  };
  config.ignore({"vocab_size", "image_seq_len", "vision_token_id", "qk_layer_norms", "freeze_config"});
  text.ignore(
      {"neftune_noise_alpha", "pixel_shuffle_factor", "perceiver_config", "qk_layer_norms", "transformers.js_config"});
  return build_text_part(request, text, "llama", config.flag("tie_word_embeddings", false), sight);
}

Result<Graph> build_internvl(const Request& request) {
  const Config& config = request.config;
  const Config text = config.part("text_config");
  const Tower tower = read_tower(config.part("vision_config"), "internvl_vision");
  Projector projector = read_projector(config, text, 4096, true);
  projector.bias = true;
  const auto layers = read_feature_layers(config, -1);
  const double down = config.number("downsample_ratio", 0.5);
  const int64_t ratio = down > 0 && down <= 1 ? int64_t(1 / down) : 1;
  if (!(down > 0) || down > 1)
    config.fail(fmt::format("downsample_ratio is {}, expected more than 0 and at most 1", down));
  const bool whole = config.text("vision_feature_select_strategy", "default") == "full";
  const Sight sight = [=](Builder& b) {
    ValueId x = look_through(b, tower, layers);
    if (!whole) x = without_first_tokens(b, "patches", x, 1);
    x = shuffled(b, tower, x, ratio);
    x = norm(b, "multi_modal_projector.layer_norm", x, {NormKind::layer, 1e-5, ""});
    return Seen{project(b, projector, x), {}};
  };
  config.ignore({"image_seq_length"});
  return build_text_part(request, text, "qwen2", config.flag("tie_word_embeddings", true), sight);
}

}  // namespace plimsoll
