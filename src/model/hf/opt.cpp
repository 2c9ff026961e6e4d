// OPT (Zhang 2022): learned positions after two that are never used, ReLU; the 350 M one has its norms after the sum
// and embeddings narrower than its layers.
#include <cmath>

#include "model/hf/request.h"

namespace plimsoll {
namespace {

LayerSpec opt_layer(const Config& config, int64_t width, int64_t default_heads, int64_t inner, bool bias) {
  const int64_t heads = config.size("num_attention_heads", default_heads);
  if (width % heads != 0) config.fail("num_attention_heads does not divide hidden_size");
  LayerSpec layer;
  layer.attention =
      AttentionSpec{.heads = heads, .kv_heads = heads, .head = std::max<int64_t>(1, width / heads), .bias = bias};
  layer.attention->o = "out_proj";
  layer.mlp = FeedForwardSpec{.width = inner, .gated = false, .bias = bias, .up = "fc1", .down = "fc2"};
  layer.mlp_scope = "";
  return layer;
}

}  // namespace

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
  spec.block = before ? BlockForm::sequential : BlockForm::norm_of_sum;
  spec.final_norm = before && !config.flag("_remove_final_layer_norm", false);
  spec.tied = config.flag("tie_word_embeddings", true);
  spec.root = "model.decoder";
  spec.final_norm_name = "final_layer_norm";
  spec.norm_names = {"self_attn_layer_norm", "final_layer_norm"};
  const bool bias = config.flag("enable_bias", true);
  LayerSpec layer = opt_layer(config, spec.width, 12, config.size("ffn_dim", 3072), bias);
  layer.mlp->activation = read_activation(config, "activation_function", "relu");
  spec.layers.assign(size_t(read_layer_count(config, "num_hidden_layers")), layer);
  const HeadSpec head = read_head(request);
  PLIM_TRY(config.finish());
  return build_decoder(request.name, spec, head, request.tokens(spec.learned_positions));
}

// The same layers with a scaled embedding and GELU (Luo 2022).
Result<Graph> build_biogpt(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec;
  spec.vocabulary = config.size("vocab_size", 42'384);
  spec.width = config.size("hidden_size");
  spec.learned_positions = config.size("max_position_embeddings", 1024);
  spec.position_offset = 2;
  spec.norm = {NormKind::layer, 1e-5, ""};
  spec.tied = config.flag("tie_word_embeddings", true);
  spec.embedding_scale = config.flag("scale_embedding", true) ? std::sqrt(double(spec.width)) : 1;
  spec.root = "biogpt";
  spec.head = "output_projection";
  spec.final_norm_name = "layer_norm";
  spec.norm_names = {"self_attn_layer_norm", "final_layer_norm"};
  LayerSpec layer = opt_layer(config, spec.width, 16, config.size("intermediate_size", 4096), true);
  layer.mlp->activation = read_activation(config, "hidden_act", "gelu");
  spec.layers.assign(size_t(read_layer_count(config, "num_hidden_layers")), layer);
  const HeadSpec head = read_head(request);
  PLIM_TRY(config.finish());
  return build_decoder(request.name, spec, head, request.tokens(spec.learned_positions));
}

// XGLM (Lin 2021): positions are sines and cosines that are no parameters.
Result<Graph> build_xglm(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec;
  spec.vocabulary = config.size("vocab_size", 256'008);
  spec.width = config.size("d_model|hidden_size");
  spec.norm = {NormKind::layer, 1e-5, ""};
  spec.tied = config.flag("tie_word_embeddings", true);
  spec.embedding_scale = config.flag("scale_embedding", true) ? std::sqrt(double(spec.width)) : 1;
  spec.final_norm_name = "layer_norm";
  spec.norm_names = {"self_attn_layer_norm", "final_layer_norm"};
  if (config.flag("add_cross_attention", false))
    config.fail("add_cross_attention is true, and a decoder beside an encoder is not supported");
  const int64_t heads = config.size("attention_heads|num_attention_heads", 16), inner = config.size("ffn_dim", 4096);
  LayerSpec layer = opt_layer(config, spec.width, heads, inner, true);
  layer.mlp->activation = read_activation(config, "activation_function", "gelu");
  spec.layers.assign(size_t(read_layer_count(config, "num_layers|num_hidden_layers")), layer);
  const int64_t positions = config.size("max_position_embeddings", 2048);
  const HeadSpec head = read_head(request);
  PLIM_TRY(config.finish());
  return build_decoder(request.name, spec, head, request.tokens(positions));
}

}  // namespace plimsoll
