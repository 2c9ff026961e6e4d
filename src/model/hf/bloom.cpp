// BLOOM (Scao 2022): positions by ALiBi, a norm of the embeddings.
#include "model/hf/request.h"

namespace plimsoll {

Result<Graph> build_bloom(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec;
  spec.vocabulary = config.size("vocab_size", 250'880);
  spec.width = config.size("hidden_size|n_embed");
  spec.norm = {NormKind::layer, config.number("layer_norm_epsilon", 1e-5), ""};
  spec.tied = config.flag("tie_word_embeddings", true);
  spec.embedding_norm = true;
  spec.root = "transformer";
  spec.embedding = "word_embeddings";
  spec.embedding_norm_name = "word_embeddings_layernorm";
  spec.layers_name = "h";
  spec.final_norm_name = "ln_f";
  const int64_t heads = config.size("n_head|num_attention_heads", 8);
  if (spec.width % heads != 0) config.fail("n_head does not divide hidden_size");
  LayerSpec layer;
  layer.mixer_scope = "self_attention";
  layer.attention = AttentionSpec{.heads = heads,
                                  .kv_heads = heads,
                                  .head = std::max<int64_t>(1, spec.width / heads),
                                  .bias = true,
                                  .packed = "query_key_value"};
  layer.attention->alibi = layer.attention->single_operations = true;
  layer.attention->o = "dense";
  layer.mlp = FeedForwardSpec{.width = 4 * spec.width,
                              .gated = false,
                              .bias = true,
                              .activation = "gelu_pytorch_tanh",
                              .up = "dense_h_to_4h",
                              .down = "dense_4h_to_h"};
  spec.layers.assign(size_t(read_layer_count(config, "n_layer|num_hidden_layers")), layer);
  config.ignore({"apply_residual_connection_post_layernorm", "n_inner", "attention_softmax_in_fp32", "pretraining_tp",
                 "bias_dropout_fusion", "skip_bias_add", "skip_bias_add_qkv", "n_embed", "masked_softmax_fusion"});
  HeadSpec head = read_head(request);
  if (head.kind == Head::tokens) head.name = "classifier";
  const int64_t positions = config.size("seq_length|max_position_embeddings", 2048);
  PLIM_TRY(config.finish());
  return build_decoder(request.name, spec, head, request.tokens(positions));
}

}  // namespace plimsoll
