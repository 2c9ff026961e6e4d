// GPT-NeoX and Pythia (Black 2022, Biderman 2023): attention and MLP side by side, each with its norm.
#include "model/hf/request.h"

namespace plimsoll {

Result<Graph> build_gpt_neox(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec;
  spec.vocabulary = config.size("vocab_size", 50'432);
  spec.width = config.size("hidden_size");
  spec.norm = {NormKind::layer, config.number("layer_norm_eps", 1e-5), ""};
  spec.tied = config.flag("tie_word_embeddings", false);
  spec.block = config.flag("use_parallel_residual", true) ? BlockForm::parallel_two_norms : BlockForm::sequential;
  spec.root = "gpt_neox";
  spec.head = "embed_out";
  spec.embedding = "embed_in";
  spec.final_norm_name = "final_layer_norm";
  const int64_t heads = config.size("num_attention_heads", 64);
  if (spec.width % heads != 0) config.fail("num_attention_heads does not divide hidden_size");
  LayerSpec layer;
  layer.mixer_scope = "attention";
  const int64_t head = std::max<int64_t>(2, spec.width / heads);
  layer.attention = AttentionSpec{.heads = heads,
                                  .kv_heads = heads,
                                  .head = head,
                                  .bias = config.flag("attention_bias", true),
                                  .packed = "query_key_value"};
  layer.attention->o = "dense";
  layer.attention->rope = read_rope(config, head, {.fraction = 0.25});
  layer.mlp = FeedForwardSpec{.width = config.size("intermediate_size", 24'576),
                              .gated = false,
                              .bias = true,
                              .up = "dense_h_to_4h",
                              .down = "dense_4h_to_h"};
  layer.mlp->activation = read_activation(config, "hidden_act", "gelu");
  spec.layers.assign(size_t(read_layer_count(config, "num_hidden_layers")), layer);
  HeadSpec output = read_head(request);
  if (output.kind == Head::tokens) output.name = "classifier";
  const int64_t positions = config.size("max_position_embeddings", 2048);
  PLIM_TRY(config.finish());
  return build_decoder(request.name, spec, output, request.tokens(positions));
}

}  // namespace plimsoll
