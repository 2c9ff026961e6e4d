// OPT (Zhang 2022): learned positions after two that are never used, ReLU; the 350 M one has its norms after the sum
// and embeddings narrower than its layers.
#include "model/hf/request.h"

namespace plimsoll {

Result<Graph> build_opt(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec;
  spec.vocabulary = config.size("vocab_size", 50'272);
  spec.width = config.size("hidden_size");
  spec.embedding_width = config.size("word_embed_proj_dim", spec.width);
  spec.learned_positions = config.size("max_position_embeddings", 2048);
  spec.position_offset = 2;
  const bool affine = config.flag("layer_norm_elementwise_affine", true);
  spec.norm = {affine ? NormKind::layer : NormKind::without_parameters, 1e-5, ""};
  const bool before = config.flag("do_layer_norm_before", true);
  spec.block = before ? Block::sequential : Block::norm_of_sum;
  spec.final_norm = before && !config.flag("_remove_final_layer_norm", false);
  spec.tied = config.flag("tie_word_embeddings", true);
  spec.root = "model.decoder";
  spec.final_norm_name = "final_layer_norm";
  spec.norm_names = {"self_attn_layer_norm", "final_layer_norm"};
  const bool bias = config.flag("enable_bias", true);
  const int64_t heads = config.size("num_attention_heads", 12);
  if (spec.width % heads != 0) config.fail("num_attention_heads does not divide hidden_size");
  LayerSpec layer;
  layer.attention =
      AttentionSpec{.heads = heads, .kv_heads = heads, .head = std::max<int64_t>(1, spec.width / heads), .bias = bias};
  layer.attention->o = "out_proj";
  layer.mlp =
      FeedForwardSpec{.width = config.size("ffn_dim", 3072), .gated = false, .bias = bias, .up = "fc1", .down = "fc2"};
  layer.mlp->activation = read_activation(config, "activation_function", "relu");
  layer.mlp_scope = "";
  spec.layers.assign(size_t(read_layer_count(config, "num_hidden_layers")), layer);
  const HeadSpec head = read_head(request);
  PLIM_TRY(config.finish());
  return build_decoder(request.name, spec, head, request.tokens(spec.learned_positions));
}

}  // namespace plimsoll
