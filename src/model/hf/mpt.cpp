// MPT (MosaicML 2023): positions by ALiBi, no biases anywhere.
#include "model/hf/request.h"

namespace plimsoll {

Result<Graph> build_mpt(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec;
  spec.vocabulary = config.size("vocab_size", 50'368);
  spec.width = config.size("d_model|hidden_size");
  spec.norm = {NormKind::layer_without_bias, config.number("layer_norm_epsilon", 1e-5), ""};
  spec.tied = config.flag("tie_word_embeddings", true);
  spec.root = "transformer";
  spec.embedding = "wte";
  spec.layers_name = "blocks";
  spec.final_norm_name = "norm_f";
  spec.norm_names = {"norm_1", "norm_2"};
  const int64_t heads = config.size("n_heads|num_attention_heads", 16);
  if (spec.width % heads != 0) config.fail("n_heads does not divide d_model");
  const Config attention = config.part("attn_config");
  if (attention.flag("qk_ln", false)) config.fail("attn_config.qk_ln is true, which is not supported");
  if (attention.text("attn_type", "multihead_attention") != "multihead_attention")
    config.fail("attn_config.attn_type is not multihead_attention, the only one that is supported");
  LayerSpec layer;
  layer.mixer_scope = "attn";
  layer.mlp_scope = "ffn";
  layer.attention = AttentionSpec{
      .heads = heads, .kv_heads = heads, .head = std::max<int64_t>(1, spec.width / heads), .packed = "Wqkv"};
  layer.attention->alibi = true;  // today's class has no other positions, whatever the file says
  layer.attention->single_operations = true;
  layer.attention->o = "out_proj";
  layer.mlp = FeedForwardSpec{.width = 4 * spec.width, .gated = false, .activation = "gelu"};
  spec.layers.assign(size_t(read_layer_count(config, "n_layers|num_hidden_layers")), layer);
  attention.ignore({"alibi", "alibi_bias_max", "clip_qkv", "softmax_scale", "attn_impl", "prefix_lm",
                    "attn_uses_sequence_id", "attn_pdrop"});
  config.ignore({"expansion_ratio", "embedding_fraction", "no_bias", "learned_pos_emb", "norm_type", "logit_scale"});
  const HeadSpec head = read_head(request);
  const int64_t positions = config.size("max_seq_len|max_position_embeddings", 2048);
  PLIM_TRY(config.finish());
  return build_decoder(request.name, spec, head, request.tokens(positions));
}

}  // namespace plimsoll
