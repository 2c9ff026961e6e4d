// CLIP (Radford 2021): an encoder of text, one of pictures, and both together; Chinese CLIP (Yang 2022), whose text is
// a BERT's; SigLIP's encoder of pictures (Zhai 2023). Stable Diffusion's text encoders are the first.
#include <fmt/format.h>

#include "model/hf/bert.h"
#include "model/hf/towers.h"

namespace plimsoll {
namespace {

void set_activation(DecoderSpec& spec, const std::string& activation) {
  for (auto& layer : spec.layers) layer.mlp->activation = activation;
}

struct TextSpec {
  DecoderSpec encoder;
  int64_t vocabulary, positions;
};

struct TextDefaults {
  int64_t width, heads, inner, vocabulary, positions;
  double epsilon;
  const char* activation;
  bool causal;
};
constexpr TextDefaults kClipText{512, 8, 2048, 49'408, 77, 1e-5, "quick_gelu", true};
constexpr TextDefaults kSiglipText{768, 12, 3072, 32'000, 64, 1e-6, "gelu_pytorch_tanh", false};

TextSpec read_text(const Config& config, const TextDefaults& usual, bool needs_sizes) {
  const int64_t width = config.size("hidden_size", needs_sizes ? std::nullopt : std::optional<int64_t>(usual.width));
  const int64_t layers =
      read_layer_count(config, "num_hidden_layers", needs_sizes ? std::nullopt : std::optional<int64_t>(12));
  TextSpec spec{
      vision_layers(config, width, layers, config.size("num_attention_heads", usual.heads),
                    config.size("intermediate_size", usual.inner), config.number("layer_norm_eps", usual.epsilon)),
      config.size("vocab_size", usual.vocabulary), config.size("max_position_embeddings", usual.positions)};
  set_activation(spec.encoder, read_activation(config, "hidden_act", usual.activation));
  for (auto& layer : spec.encoder.layers) layer.attention->causal = usual.causal;
  spec.encoder.layers_name = "encoder.layers";
  spec.encoder.final_norm = true;
  spec.encoder.final_norm_name = "final_layer_norm";
  spec.encoder.learned_positions = spec.positions;
  spec.encoder.positions = "embeddings.position_embedding";
  return spec;
}

ValueId encode_text(Builder& b, const TextSpec& spec, ValueId tokens) {
  const auto scope = b.enter("text_model");
  const ValueId words = b.parameter("embeddings.token_embedding.weight", {spec.vocabulary, spec.encoder.width});
  return decode_embedded(b, spec.encoder,
                         b.apply("embeddings.token_embedding", "gather", {words, tokens}, {{"axis", int64_t{0}}}));
}

ValueId last_token(Builder& b, ValueId x) { return take_token(b, "last_token", x, -1); }

}  // namespace

VisionSpec read_clip_vision(const Config& config, bool needs_sizes, int64_t image) {
  VisionSpec spec;
  const int64_t width = config.size("hidden_size", needs_sizes ? std::nullopt : std::optional<int64_t>(768));
  const int64_t layers =
      read_layer_count(config, "num_hidden_layers", needs_sizes ? std::nullopt : std::optional<int64_t>(12));
  spec.encoder = vision_layers(config, width, layers, config.size("num_attention_heads", 12),
                               config.size("intermediate_size", 3072), config.number("layer_norm_eps", 1e-5));
  set_activation(spec.encoder, read_activation(config, "hidden_act", "quick_gelu"));
  spec.encoder.layers_name = "encoder.layers";
  spec.encoder.embedding_norm = true;
  spec.encoder.embedding_norm_name = "pre_layrnorm";
  spec.patch_bias = false;
  spec.patches = "embeddings.patch_embedding";
  spec.positions = "embeddings.position_embedding.weight";
  spec.tokens = {"embeddings.class_embedding"};
  read_image(config, spec, image, 32);
  config.ignore({"projection_dim"});
  return spec;
}

ValueId clip_vision(Builder& b, const VisionSpec& spec, ValueId picture, bool post_norm) {
  const auto scope = b.enter("vision_model");
  const ValueId x = decode_embedded(b, spec.encoder, embed_patches(b, spec, picture));
  const ValueId pooled = norm(b, "post_layernorm", take_token(b, "class_token", x, 0), spec.encoder.norm);
  return post_norm ? pooled : x;
}

VisionSpec read_siglip_vision(const Config& config, bool needs_sizes, const VisionDefaults& defaults) {
  VisionSpec spec;
  const int64_t width = config.size("hidden_size", needs_sizes ? std::nullopt : std::optional(defaults.width));
  const int64_t layers =
      read_layer_count(config, "num_hidden_layers", needs_sizes ? std::nullopt : std::optional<int64_t>(12));
  spec.encoder = vision_layers(config, width, layers, config.size("num_attention_heads", defaults.heads),
                               config.size("intermediate_size", 3072), config.number("layer_norm_eps", 1e-6));
  set_activation(spec.encoder, read_activation(config, "hidden_act", "gelu_pytorch_tanh"));
  spec.encoder.layers_name = "encoder.layers";
  spec.encoder.final_norm = true;
  spec.encoder.final_norm_name = "post_layernorm";
  spec.patches = "embeddings.patch_embedding";
  spec.positions = "embeddings.position_embedding.weight";
  spec.tokens = {};
  read_image(config, spec, 224, defaults.patch);
  config.ignore({"projection_dim", "vision_use_head"});
  return spec;
}

VisionSpec read_siglip2_vision(const Config& config) {
  VisionSpec spec = read_siglip_vision(config, false);
  const int64_t patches = config.size("num_patches", 256);
  int64_t side = 1;
  while (side < 1024 && side * side < patches) ++side;
  if (side * side != patches) config.fail("num_patches is not a square of at most 1024 patches on a side");
  spec.image = side * spec.patch;
  return spec;
}

ValueId siglip_vision(Builder& b, const VisionSpec& spec, ValueId picture) {
  const auto scope = b.enter("vision_model");
  return decode_embedded(b, spec.encoder, embed_patches(b, spec, picture));
}

Result<Graph> build_clip_text(const Request& request) {
  const Config& config = request.config;
  const TextSpec spec = read_text(config, kClipText, true);
  const int64_t projected = config.size("projection_dim", 512);
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(spec.positions)}, DType::i64);
  ValueId x = encode_text(b, spec, b.input());
  if (request.ends_with("WithProjection")) x = b.linear("text_projection", last_token(b, x), projected, false);
  return b.finish(x);
}

Result<Graph> build_clip_vision(const Request& request) {
  const Config& config = request.config;
  const VisionSpec spec = read_clip_vision(config, true);
  const int64_t projected = config.size("projection_dim", 512);
  PLIM_TRY(config.finish());
  Builder b(request.name, {spec.channels, spec.image, spec.image});
  ValueId x = clip_vision(b, spec, b.input(), true);
  if (request.ends_with("WithProjection")) x = b.linear("visual_projection", x, projected, false);
  return b.finish(x);
}

namespace {

// The mean of all patches decides.
Result<Graph> build_clip_classes(const Request& request, const VisionSpec& vision) {
  const int64_t labels = read_labels(request.config);
  request.config.ignore({"projection_dim", "text_config_dict", "vision_config_dict"});
  PLIM_TRY(request.config.finish());
  Builder b(request.name, {vision.channels, vision.image, vision.image});
  ValueId x = clip_vision(b, vision, b.input(), false);
  x = without_first_tokens(b, "patches", x, 1);
  x = b.apply("mean", "reduce_mean", {x}, {{"axes", Sizes{1}}, {"keepdims", int64_t{0}}});
  return b.finish(b.linear("classifier", x, labels));
}

}  // namespace

namespace {

// How alike a text and a picture are.
ValueId likeness(Builder& b, ValueId said, ValueId seen) {
  const ValueId scale = b.apply("logit_scale.exp", "exp", {b.parameter("logit_scale", Shape{})});
  const auto unit = [&](const std::string& name, ValueId x) {
    return b.apply(name, "lp_normalization", {x}, {{"axis", int64_t{-1}}, {"p", int64_t{2}}});
  };
  const ValueId alike =
      b.apply("logits", "matmul", {unit("text_embeds", said), unit("image_embeds", seen)}, {{"transB", int64_t{1}}});
  return b.apply("scaled_logits", "mul", {alike, scale});
}

}  // namespace

Result<Graph> build_chinese_clip(const Request& request) {
  const Config& config = request.config;
  if (request.ends_with("TextModel")) config.fail("its text part alone is not supported");
  const Config words_part = config.part("text_config"), pictures = config.part("vision_config");
  BertSpec text = read_bert(words_part, 30'522);
  text.root = "text_model";
  const VisionSpec vision = read_clip_vision(pictures, false);
  const int64_t projected = config.size("projection_dim", 512);
  config.ignore({"text_config_dict", "vision_config_dict"});
  words_part.ignore({"projection_dim"});
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(std::min<int64_t>(text.positions, 52))}, DType::i64);
  ValueId words;
  const ValueId x = encode_bert(b, text, words, 0);
  const ValueId said = b.linear("text_projection", first_token(b, x), projected, false);
  const ValueId picture = b.add_input("pixel_values", {vision.channels, vision.image, vision.image});
  return b.finish(
      likeness(b, said, b.linear("visual_projection", clip_vision(b, vision, picture, true), projected, false)));
}

// OWL-ViT and OWLv2 (Minderer 2022, 2023): each patch is compared with what is looked for, and has a box.
Result<Graph> build_owlvit(const Request& request) {
  const Config& config = request.config;
  const bool second = request.architecture.starts_with("Owlv2");
  if (request.is_model_alone()) config.fail("its encoders alone are not supported", "export it as .onnx, which works");
  const Config words = config.part("text_config"), pictures = config.part("vision_config");
  constexpr TextDefaults kOwlText{512, 8, 2048, 49'408, 16, 1e-5, "quick_gelu", true};
  const TextSpec text = read_text(words, kOwlText, false);
  VisionSpec vision = read_clip_vision(pictures, false, 768);
  if (second && !pictures.has("patch_size")) vision.patch = 16;
  const int64_t projected = config.size("projection_dim", 512), width = vision.encoder.width;
  words.ignore({"projection_dim"});
  config.ignore({"text_config_dict", "vision_config_dict"});
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(text.positions)}, DType::i64);
  ValueId said, seen;
  {
    const auto scope = b.enter(second ? "owlv2" : "owlvit");
    said = b.linear("text_projection", last_token(b, encode_text(b, text, b.input())), projected, false);
    const ValueId picture = b.add_input("pixel_values", {vision.channels, vision.image, vision.image});
    const auto inside = b.enter("vision_model");
    seen = norm(b, "post_layernorm", decode_embedded(b, vision.encoder, embed_patches(b, vision, picture)),
                vision.encoder.norm);
  }
  const std::string root = second ? "owlv2." : "owlvit.";
  const ValueId all = take_token(b, "class_token", seen, 0);
  b.parameter(root + "logit_scale", Shape{});
  b.linear(root + "visual_projection", all, projected, false);
  ValueId x = b.apply("patches_by_class", "mul",
                      {without_first_tokens(b, "patches", seen, 1), b.reshape("class_row", all, {0, 1, width})});
  x = norm(b, "layer_norm", x, vision.encoder.norm);
  const auto head = [&](const std::string& name, int64_t numbers) {
    ValueId y = b.apply(name + ".gelu_0", "gelu", {b.linear(name + ".dense0", x, width)});
    y = b.apply(name + ".gelu_1", "gelu", {b.linear(name + ".dense1", y, width)});
    return b.linear(name + ".dense2", y, numbers);
  };
  head("box_head", 4);
  if (second) head("objectness_head", 1);
  const ValueId found = b.linear("class_head.dense0", x, text.encoder.width);
  const ValueId asked = b.reshape("asked", said, {0, 1, projected});
  ValueId scores =
      b.apply("class_scores", "reduce_sum",
              {b.apply("class_products", "mul", {found, asked}), b.constant("class_scores.axes", integer_tensor({2}))},
              {{"keepdims", int64_t{1}}});
  scores = b.add("shifted", scores, b.linear("class_head.logit_shift", x, 1));
  const ValueId scale = b.apply("class_head.elu", "elu", {b.linear("class_head.logit_scale", x, 1)});
  return b.finish(b.apply("scaled_scores", "mul", {scores, scale}));
}

// Both, and how alike a text and a picture are.
Result<Graph> build_clip(const Request& request) {
  const Config& config = request.config;
  const Config words = config.part("text_config"), pictures = config.part("vision_config");
  const TextSpec text = read_text(words, kClipText, false);
  const VisionSpec vision = read_clip_vision(pictures, false);
  words.ignore({"projection_dim"});
  if (request.ends_with("ForImageClassification")) return build_clip_classes(request, vision);
  const int64_t projected = config.size("projection_dim", 512);
  config.ignore({"text_config_dict", "vision_config_dict"});
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(text.positions)}, DType::i64);
  const ValueId said = b.linear("text_projection", last_token(b, encode_text(b, text, b.input())), projected, false);
  const ValueId picture = b.add_input("pixel_values", {vision.channels, vision.image, vision.image});
  const ValueId seen = b.linear("visual_projection", clip_vision(b, vision, picture, true), projected, false);
  return b.finish(likeness(b, said, seen));
}

namespace {

// The last token through one more product.
ValueId siglip_said(Builder& b, const TextSpec& spec, ValueId tokens, int64_t projected) {
  return b.linear("text_model.head", last_token(b, encode_text(b, spec, tokens)), projected);
}

ValueId siglip_seen(Builder& b, const VisionSpec& spec, bool pools, ValueId picture) {
  const ValueId x = siglip_vision(b, spec, picture);
  const auto scope = b.enter("vision_model");
  return pools ? siglip_pooling(b, spec, x) : x;
}

}  // namespace

Result<Graph> build_siglip_text(const Request& request) {
  const Config& config = request.config;
  const TextSpec spec = read_text(config, kSiglipText, true);
  const int64_t projected = config.size("projection_size", spec.encoder.width);
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(spec.positions)}, DType::i64);
  return b.finish(siglip_said(b, spec, b.input(), projected));
}

Result<Graph> build_siglip_vision(const Request& request) {
  const Config& config = request.config;
  const bool second = request.architecture.starts_with("Siglip2");
  const VisionSpec spec = second ? read_siglip2_vision(config) : read_siglip_vision(config, true);
  const bool pools = config.flag("vision_use_head", true);
  PLIM_TRY(config.finish());
  Builder b(request.name, {spec.channels, spec.image, spec.image});
  return b.finish(siglip_seen(b, spec, pools, b.input()));
}

Result<Graph> build_siglip(const Request& request) {
  const Config& config = request.config;
  const Config words = config.part("text_config"), pictures = config.part("vision_config");
  const bool second = request.architecture.starts_with("Siglip2");
  const VisionSpec vision = second ? read_siglip2_vision(pictures) : read_siglip_vision(pictures, false);
  const bool pools = pictures.flag("vision_use_head", true);
  if (request.ends_with("ForImageClassification")) {
    const int64_t labels = read_labels(config);
    config.ignore({"text_config"});
    PLIM_TRY(config.finish());
    Builder b(request.name, {vision.channels, vision.image, vision.image});
    const ValueId x = siglip_seen(b, vision, pools, b.input());
    const ValueId mean =
        pools ? x : b.apply("mean", "reduce_mean", {x}, {{"axes", Sizes{1}}, {"keepdims", int64_t{0}}});
    return b.finish(b.linear("classifier", mean, labels));
  }
  const TextSpec text = read_text(words, kSiglipText, false);
  const int64_t projected = words.size("projection_size", text.encoder.width);
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(text.positions)}, DType::i64);
  const ValueId said = siglip_said(b, text, b.input(), projected);
  const ValueId picture = b.add_input("pixel_values", {vision.channels, vision.image, vision.image});
  const ValueId seen = siglip_seen(b, vision, pools, picture);
  const auto unit = [&](const std::string& name, ValueId x) {
    return b.apply(name, "lp_normalization", {x}, {{"axis", int64_t{-1}}, {"p", int64_t{2}}});
  };
  ValueId alike =
      b.apply("logits", "matmul", {unit("text_embeds", said), unit("image_embeds", seen)}, {{"transB", int64_t{1}}});
  alike =
      b.apply("scaled_logits", "mul", {alike, b.apply("logit_scale.exp", "exp", {b.parameter("logit_scale", {1})})});
  return b.finish(b.add("biased_logits", alike, b.parameter("logit_bias", {1})));
}

}  // namespace plimsoll
