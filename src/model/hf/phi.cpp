// Phi 1 and 2 (Gunasekar 2023): attention and MLP side by side on one norm, biases everywhere.
#include "model/hf/request.h"

namespace plimsoll {

Result<Graph> build_phi(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec;
  spec.vocabulary = config.size("vocab_size", 51'200);
  spec.width = config.size("hidden_size");
  spec.norm = {NormKind::layer, config.number("layer_norm_eps", 1e-5), ""};
  spec.tied = config.flag("tie_word_embeddings", false);
  spec.head_bias = true;
  spec.block = BlockForm::parallel;
  spec.final_norm_name = "final_layernorm";
  const HeadSizes heads = read_heads(config, spec.width, 32, 0, 0);
  LayerSpec layer;
  layer.attention = AttentionSpec{.heads = heads.heads, .kv_heads = heads.kv_heads, .head = heads.head, .bias = true};
  layer.attention->o = "dense";
  layer.attention->rope = read_rope(config, heads.head, {.fraction = 0.5});
  if (config.flag("qk_layernorm", false)) {
    layer.attention->qk_norm = QkNorm::each_head;
    layer.attention->head_norm = spec.norm;
    layer.attention->q_norm = "q_layernorm";
    layer.attention->k_norm = "k_layernorm";
  }
  layer.mlp = FeedForwardSpec{
      .width = config.size("intermediate_size", 8192), .gated = false, .bias = true, .up = "fc1", .down = "fc2"};
  layer.mlp->activation = read_activation(config, "hidden_act", "gelu_new");
  spec.layers.assign(size_t(read_layer_count(config, "num_hidden_layers")), layer);
  const HeadSpec output = read_head(request);
  const int64_t positions = config.size("max_position_embeddings", 2048);
  PLIM_TRY(config.finish());
  return build_decoder(request.name, spec, output, request.tokens(positions));
}

}  // namespace plimsoll
