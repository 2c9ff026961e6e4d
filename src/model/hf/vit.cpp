// ViT (Dosovitskiy 2020) and DeiT (Touvron 2020), which has a second token to distil into.
#include <algorithm>

#include "model/hf/vision.h"

namespace plimsoll {
namespace {

VisionSpec read_vit(const Config& config) {
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
  read_image(config, spec, 224, 16);
  config.ignore({"encoder_stride"});
  return spec;
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
  ValueId x;
  {
    const auto scope = b.enter(root);
    {
      const auto inner = b.enter("embeddings");
      x = embed_patches(b, spec, b.input());
    }
    x = decode_embedded(b, spec.encoder, x);
  }
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

}  // namespace plimsoll
