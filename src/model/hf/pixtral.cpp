#include "model/hf/towers.h"

namespace plimsoll {

VisionSpec read_pixtral_vision(const Config& config) {
  VisionSpec spec;
  spec.encoder =
      vision_layers(config, config.size("hidden_size", 1024), read_layer_count(config, "num_hidden_layers", 24),
                    config.size("num_attention_heads", 16), config.size("intermediate_size", 4096), 1e-5);
  DecoderSpec& encoder = spec.encoder;
  encoder.norm = {NormKind::rms, 1e-5, "llama"};
  encoder.norm_names = {"attention_norm", "ffn_norm"};
  encoder.layers_name = "transformer.layers";
  encoder.embedding_norm = true;
  encoder.embedding_norm_name = "ln_pre";
  const auto rope = axial_rope(config, encoder.layers[0].attention->head);
  for (auto& layer : encoder.layers) {
    layer.mixer_scope = "attention";
    layer.mlp_scope = "feed_forward";
    layer.attention->bias = false;
    layer.attention->o = "o_proj";
    layer.attention->rope = rope;
    layer.mlp = FeedForwardSpec{.width = layer.mlp->width};
    layer.mlp->activation = read_activation(config, "hidden_act", "gelu");
  }
  spec.patches = "patch_conv";
  spec.patch_bias = false;
  spec.positions = "";
  spec.tokens = {};
  read_image(config, spec, 1024, 16);
  config.ignore({"head_dim", "rope_theta", "rope_parameters", "vocab_size"});
  return spec;
}

}  // namespace plimsoll
