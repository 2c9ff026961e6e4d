// ViT (Dosovitskiy 2020) and DeiT (Touvron 2020), which has a second token to distil into; what is trained on hidden
// patches (MAE, He 2021; MSN, Assran 2022), and the same on spectrograms (AST, Gong 2021).
#include <fmt/format.h>

#include <algorithm>

#include "model/hf/vision.h"

namespace plimsoll {

VisionSpec read_vit_layers(const Config& config) {
  VisionSpec spec;
  const int64_t width = config.size("hidden_size"), layers = read_layer_count(config, "num_hidden_layers");
  spec.encoder = vision_layers(config, width, layers, config.size("num_attention_heads", 12),
                               config.size("intermediate_size", 3072), config.number("layer_norm_eps", 1e-12));
  spec.encoder.layers_name = "encoder.layer";
  spec.encoder.norm_names = {"layernorm_before", "layernorm_after"};
  spec.encoder.final_norm = true;
  spec.encoder.final_norm_name = "layernorm";
  const std::string activation = read_activation(config, "hidden_act", "gelu");
  const bool bias = config.flag("qkv_bias", true);
  for (auto& layer : spec.encoder.layers) {
    layer.mixer_scope = "attention";
    layer.mlp_scope = "";
    layer.attention->q = "attention.query";
    layer.attention->k = "attention.key";
    layer.attention->v = "attention.value";
    layer.attention->o = "output.dense";
    layer.attention->bias = bias;
    layer.attention->output_bias = true;
    layer.mlp->up = "intermediate.dense";
    layer.mlp->down = "output.dense";
    layer.mlp->activation = activation;
  }
  return spec;
}

namespace {

VisionSpec read_vit(const Config& config) {
  VisionSpec spec = read_vit_layers(config);
  read_image(config, spec, 224, 16);
  config.ignore({"encoder_stride"});
  return spec;
}

ValueId encode_patches(Builder& b, const VisionSpec& spec, const std::string& root) {
  const auto scope = b.enter(root);
  ValueId x;
  {
    const auto inner = b.enter("embeddings");
    x = embed_patches(b, spec, b.input());
  }
  return decode_embedded(b, spec.encoder, x);
}

}  // namespace

Result<Graph> build_vit(const Request& request) {
  const Config& config = request.config;
  VisionSpec spec = read_vit(config);
  const bool distilled = request.architecture.starts_with("DeiT");
  if (distilled) spec.tokens = {"cls_token", "distillation_token"};
  const std::string root = distilled ? "deit" : "vit";
  const int64_t labels = read_labels(config), pooled = config.size("pooler_output_size", spec.encoder.width);
  const std::string act = read_activation(config, "pooler_act", "tanh");
  PLIM_TRY(config.finish());
  Builder b(request.name, {spec.channels, spec.image, spec.image});
  const ValueId x = encode_patches(b, spec, root);
  if (request.is_model_alone())
    return b.finish(
        activate(b, "pooler.activation", b.linear("pooler.dense", take_token(b, "pooler.token", x, 0), pooled), act));
  if (request.ends_with("ForImageClassificationWithTeacher")) {
    const ValueId classes = b.linear("cls_classifier", take_token(b, "class_token", x, 0), labels);
    const ValueId taught = b.linear("distillation_classifier", take_token(b, "distilled_token", x, 1), labels);
    return b.finish(scaled_by(b, "mean", b.add("sum", classes, taught), 0.5));
  }
  return b.finish(b.linear("classifier", take_token(b, "class_token", x, 0), labels));
}

Result<Graph> build_vit_msn(const Request& request) {
  const Config& config = request.config;
  VisionSpec spec = read_vit(config);
  spec.encoder.norm.epsilon = config.number("layer_norm_eps", 1e-6);
  const int64_t labels = read_labels(config);
  PLIM_TRY(config.finish());
  Builder b(request.name, {spec.channels, spec.image, spec.image});
  const ValueId x = encode_patches(b, spec, "vit");
  if (request.is_model_alone()) return b.finish(x);
  return b.finish(b.linear("classifier", take_token(b, "class_token", x, 0), labels));
}

// The encoder reads a quarter of the patches; the smaller decoder, all of them, a learned token for those hidden.
Result<Graph> build_vit_mae(const Request& request) {
  const Config& config = request.config;
  VisionSpec spec = read_vit(config);
  const int64_t width = config.size("decoder_hidden_size", 512), inner = config.size("decoder_intermediate_size", 2048),
                heads = config.size("decoder_num_attention_heads", 16),
                layers = read_layer_count(config, "decoder_num_hidden_layers", 8);
  const double hidden = config.number("mask_ratio", 0.75);
  if (!(hidden >= 0 && hidden < 1)) config.fail("mask_ratio is not from 0 to below 1");
  DecoderSpec decoder = vision_layers(config, width, layers, heads, inner, spec.encoder.norm.epsilon);
  decoder.norm_names = spec.encoder.norm_names;
  decoder.layers_name = "decoder_layers";
  decoder.final_norm = true;
  decoder.final_norm_name = "decoder_norm";
  for (auto& layer : decoder.layers) {
    const int64_t head = layer.attention->head;
    layer = spec.encoder.layers[0];
    layer.attention->heads = layer.attention->kv_heads = heads;
    layer.attention->head = head;
    layer.mlp->width = inner;
  }
  const int64_t labels = read_labels(config);
  PLIM_TRY(config.finish());
  Builder b(request.name, {spec.channels, spec.image, spec.image});
  const int64_t patches = spec.patch_count(), shown = std::max<int64_t>(1, int64_t(double(patches) * (1 - hidden)));
  ValueId x;
  {
    const auto scope = b.enter("vit");
    {
      const auto inside = b.enter("embeddings");
      x = embed_patches(b, spec, b.input());
    }
    if (!b.failed())
      x = b.apply(
          "shown", "slice",
          {x, b.constant("shown.starts", integer_tensor({0})), b.constant("shown.ends", integer_tensor({1 + shown})),
           b.constant("shown.axes", integer_tensor({1}))});
    x = decode_embedded(b, spec.encoder, x);
  }
  if (request.is_model_alone()) return b.finish(x);
  if (!request.ends_with("ForPreTraining"))
    return b.finish(b.linear("classifier", take_token(b, "class_token", x, 0), labels));
  const auto scope = b.enter("decoder");
  x = b.linear("decoder_embed", x, width);
  const ValueId token = b.parameter("mask_token", {1, 1, width});
  if (b.failed()) return b.finish(x);
  const ValueId none = scaled_by(b, "none", take_token(b, "first", x, 0), 0);
  const ValueId rows =
      b.apply("hidden", "tile",
              {b.add("hidden.one", b.reshape("none.row", none, {0, 1, width}), token),
               b.constant("hidden.times", integer_tensor({1, std::max<int64_t>(1, patches - shown), 1}))});
  x = b.concat("all", {x, rows});
  x = b.add("add_position", x, b.parameter("decoder_pos_embed", {1, b.failed() ? 1 : b.shape(x)[1], width}));
  x = decode_embedded(b, decoder, x);
  return b.finish(b.linear("decoder_pred", x, spec.patch * spec.patch * spec.channels));
}

// A spectrogram in patches that overlap.
Result<Graph> build_ast(const Request& request) {
  const Config& config = request.config;
  VisionSpec spec = read_vit_layers(config);
  const int64_t patch = config.size("patch_size", 16), bins = config.size("num_mel_bins", 128),
                frames = config.size("max_length", 1024), down = config.size("frequency_stride", 10),
                along = config.size("time_stride", 10), width = spec.encoder.width, labels = read_labels(config);
  if (patch > bins || patch > frames || bins > 4096 || frames > 1 << 20)
    config.fail("patch_size, num_mel_bins and max_length do not make patches");
  PLIM_TRY(config.finish());
  Builder b(request.name, {frames, bins});
  ValueId x;
  {
    const auto scope = b.enter("audio_spectrogram_transformer");
    const int64_t patches = ((bins - patch) / down + 1) * ((frames - patch) / along + 1);
    {
      const auto inside = b.enter("embeddings");
      x = b.reshape("picture", b.transpose("frequencies_first", b.input(), {0, 2, 1}), {0, 1, bins, frames});
      x = b.conv("patch_embeddings.projection", x, width, {.kernel = {patch, patch}, .stride = {down, along}});
      x = b.transpose("tokens_last", b.reshape("flat", x, {0, width, -1}), {0, 2, 1});
      x = b.concat("tokens", {learned_token(b, "cls_token", x), learned_token(b, "distillation_token", x), x});
      x = b.add("add_position", x, b.parameter("position_embeddings", {1, patches + 2, width}));
    }
    x = decode_embedded(b, spec.encoder, x);
  }
  x = b.add("both_tokens", take_token(b, "class_token", x, 0), take_token(b, "distilled_token", x, 1));
  x = scaled_by(b, "mean_token", x, 0.5);
  if (request.is_model_alone()) return b.finish(x);
  return b.finish(b.linear("classifier.dense", norm(b, "classifier.layernorm", x, spec.encoder.norm), labels));
}

}  // namespace plimsoll
