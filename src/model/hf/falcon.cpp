// Falcon (Almazrouei 2023): attention and MLP side by side; the 7 B shares one key and one norm, the 40 B and larger
// have groups of keys and two norms; the oldest have ALiBi and a biased, ordinary layout.
#include "model/hf/request.h"

namespace plimsoll {

Result<Graph> build_falcon(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec;
  spec.vocabulary = config.size("vocab_size", 65'024);
  spec.width = config.size("hidden_size|n_embed");
  spec.norm = {NormKind::layer, config.number("layer_norm_epsilon", 1e-5), ""};
  spec.tied = config.flag("tie_word_embeddings", true);
  spec.root = "transformer";
  spec.embedding = "word_embeddings";
  spec.layers_name = "h";
  spec.final_norm_name = "ln_f";
  const int64_t heads = config.size("num_attention_heads|n_head", 71);
  const bool newer = config.flag("new_decoder_architecture", false), one_key = config.flag("multi_query", true),
             parallel = config.flag("parallel_attn", true), bias = config.flag("bias", false);
  const int64_t norms = config.count("num_ln_in_parallel_attn", newer ? 2 : 1);
  const int64_t groups = config.size("num_kv_heads|n_head_kv", heads);
  spec.block = parallel && norms == 2 ? BlockForm::parallel_two_norms
               : parallel             ? BlockForm::parallel
                                      : BlockForm::sequential;
  spec.norm_names = spec.block == BlockForm::parallel_two_norms
                        ? std::vector<std::string>{"ln_attn", "ln_mlp"}
                        : std::vector<std::string>{"input_layernorm", "post_attention_layernorm"};
  if (spec.width % heads != 0) config.fail("num_attention_heads does not divide hidden_size");
  const int64_t kv_heads = newer ? groups : one_key ? 1 : heads;
  if (heads % kv_heads != 0) config.fail("num_kv_heads does not divide num_attention_heads");
  LayerSpec layer;
  layer.mixer_scope = "self_attention";
  const int64_t head = std::max<int64_t>(2, spec.width / heads);
  layer.attention =
      AttentionSpec{.heads = heads, .kv_heads = kv_heads, .head = head, .bias = bias, .packed = "query_key_value"};
  layer.attention->o = "dense";
  layer.attention->upcast = false;
  layer.attention->alibi = config.flag("alibi", false);
  if (!layer.attention->alibi) layer.attention->rope = read_rope(config, head);
  layer.mlp = FeedForwardSpec{.width = config.size("ffn_hidden_size", 4 * spec.width),
                              .gated = false,
                              .bias = bias,
                              .up = "dense_h_to_4h",
                              .down = "dense_4h_to_h"};
  layer.mlp->activation = read_activation(config, "activation", "gelu");
  spec.layers.assign(size_t(read_layer_count(config, "num_hidden_layers|n_layer")), layer);
  HeadSpec output = read_head(request);
  if (output.kind == Head::tokens) output.name = "classifier";
  const int64_t positions = config.size("max_position_embeddings", 2048);
  PLIM_TRY(config.finish());
  return build_decoder(request.name, spec, output, request.tokens(positions));
}

}  // namespace plimsoll
