// DINOv2 (Oquab 2023), the same with registers (Darcet 2024) and DINOv3 (Meta 2025): factors a channel on what each
// half adds, and in the largest a gated MLP. The third has rotary positions.
#include <algorithm>

#include "model/hf/vision.h"

namespace plimsoll {

Result<Graph> build_dinov2(const Request& request) {
  const Config& config = request.config;
  VisionSpec spec;
  const int64_t width = config.size("hidden_size");
  const int64_t inner = config.multiple(width, "mlp_ratio", 4);
  const bool gated = config.flag("use_swiglu_ffn", false), bias = config.flag("qkv_bias", true);
  spec.encoder = vision_layers(config, width, read_layer_count(config, "num_hidden_layers"),
                               config.size("num_attention_heads", 12), inner, config.number("layer_norm_eps", 1e-6));
  spec.encoder.layers_name = "encoder.layer";
  spec.encoder.norm_names = {"norm1", "norm2"};
  spec.encoder.final_norm = true;
  spec.encoder.final_norm_name = "layernorm";
  const std::string activation = read_activation(config, "hidden_act", "gelu");
  for (auto& layer : spec.encoder.layers) {
    layer.mixer_scope = "attention";
    layer.attention->o = "o_proj";
    layer.attention->bias = bias;
    layer.attention->output_bias = true;
    layer.mixer_scale = "layer_scale1.lambda1";
    layer.mlp_scale = "layer_scale2.lambda1";
    layer.mlp->activation = gated ? "silu" : activation;
    layer.mlp->gated = gated;
    // Two thirds of it, a multiple of eight.
    if (gated) layer.mlp->width = (int64_t(double(inner) * 2 / 3) + 7) / 8 * 8;
  }
  if (config.flag("use_mask_token", true)) spec.unread = {"mask_token"};
  const bool registers = request.architecture.starts_with("Dinov2WithRegisters");
  if (registers) spec.registers = config.count("num_register_tokens", 4);
  read_image(config, spec, 224, registers ? 16 : 14);
  const int64_t labels = read_labels(config);
  PLIM_TRY(config.finish());
  Builder b(request.name, {spec.channels, spec.image, spec.image});
  ValueId x;
  {
    const auto scope = b.enter(registers ? "dinov2_with_registers" : "dinov2");
    {
      const auto inside = b.enter("embeddings");
      x = embed_patches(b, spec, b.input());
    }
    x = decode_embedded(b, spec.encoder, x);
  }
  const ValueId token = take_token(b, "class_token", x, 0);
  if (request.is_model_alone()) return b.finish(token);
  const ValueId mean = b.apply("mean", "reduce_mean", {without_first_tokens(b, "patches", x, 1 + spec.registers)},
                               {{"axes", Sizes{1}}, {"keepdims", int64_t{0}}});
  return b.finish(b.linear("classifier", b.concat("both", {token, mean}), labels));
}

Result<Graph> build_dinov3(const Request& request) {
  const Config& config = request.config;
  VisionSpec spec;
  const int64_t width = config.size("hidden_size");
  spec.encoder =
      vision_layers(config, width, read_layer_count(config, "num_hidden_layers"), config.size("num_attention_heads", 6),
                    config.size("intermediate_size", 1536), config.number("layer_norm_eps", 1e-5));
  spec.encoder.layers_name = "layer";
  spec.encoder.norm_names = {"norm1", "norm2"};
  spec.encoder.final_norm = true;
  spec.encoder.final_norm_name = "norm";
  const std::string activation = read_activation(config, "hidden_act", "gelu");
  const bool bias = config.flag("query_bias", true), gated = config.flag("use_gated_mlp", false);
  if (config.flag("value_bias", true) != bias) config.fail("query_bias and value_bias differ, which is not supported");
  const auto rope = axial_rope(config, spec.encoder.layers[0].attention->head);
  for (auto& layer : spec.encoder.layers) {
    layer.mixer_scope = "attention";
    layer.attention->o = "o_proj";
    layer.attention->bias = bias;
    layer.attention->key_bias = config.flag("key_bias", false);
    layer.attention->output_bias = config.flag("proj_bias", true);
    layer.attention->rope = rope;
    layer.mixer_scale = "layer_scale1.lambda1";
    layer.mlp_scale = "layer_scale2.lambda1";
    layer.mlp->up = "up_proj";
    layer.mlp->down = "down_proj";
    layer.mlp->activation = activation;
    layer.mlp->gated = gated;
    layer.mlp->bias = config.flag("mlp_bias", true);
  }
  spec.patches = "patch_embeddings";
  spec.positions = "";
  spec.registers = config.count("num_register_tokens", 0);
  spec.unread = {"mask_token"};
  read_image(config, spec, 224, 16);
  PLIM_TRY(config.finish());
  Builder b(request.name, {spec.channels, spec.image, spec.image});
  ValueId x;
  {
    const auto scope = b.enter("embeddings");
    x = embed_patches(b, spec, b.input());
  }
  return b.finish(take_token(b, "class_token", decode_embedded(b, spec.encoder, x), 0));
}

}  // namespace plimsoll
