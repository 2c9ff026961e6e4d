// GPT-J (Wang 2021) and CodeGen (Nijkamp 2022): attention and MLP side by side on one norm, a part of each head turned.
#include <cmath>

#include "model/hf/request.h"

namespace plimsoll {

Result<Graph> build_gptj(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec;
  spec.vocabulary = config.size("vocab_size", 50'400);
  spec.width = config.size("n_embd|hidden_size");
  spec.norm = {NormKind::layer, config.number("layer_norm_epsilon", 1e-5), ""};
  spec.tied = config.flag("tie_word_embeddings", false);
  spec.head_bias = true;
  spec.block = BlockForm::parallel;
  spec.root = "transformer";
  spec.embedding = "wte";
  spec.layers_name = "h";
  spec.final_norm_name = "ln_f";
  spec.norm_names = {"ln_1"};
  const int64_t heads = config.size("n_head|num_attention_heads", 16);
  if (spec.width % heads != 0) config.fail("n_head does not divide n_embd");
  const int64_t head = std::max<int64_t>(2, spec.width / heads), turned = config.size("rotary_dim", 64);
  if (turned > head || turned % 2 != 0) config.fail("rotary_dim is not an even part of a head");
  RopeSpec rope;
  rope.turned = turned;
  rope.interleaved = true;
  for (int64_t i = 0; is_sound_head(config, turned) && i < turned / 2; ++i)
    rope.frequencies.push_back(std::pow(10'000.0, -2.0 * double(i) / double(turned)));
  LayerSpec layer;
  layer.mixer_scope = "attn";
  layer.attention = AttentionSpec{.heads = heads,
                                  .kv_heads = heads,
                                  .head = head,
                                  .rope = std::make_shared<const RopeSpec>(std::move(rope)),
                                  .upcast = true,
                                  .single_operations = true};
  layer.attention->o = "out_proj";
  if (request.architecture.starts_with("CodeGen")) layer.attention->packed = "qkv_proj";
  layer.mlp = FeedForwardSpec{
      .width = config.size("n_inner", 4 * spec.width), .gated = false, .bias = true, .up = "fc_in", .down = "fc_out"};
  layer.mlp->activation = read_activation(config, "activation_function", "gelu_new");
  spec.layers.assign(size_t(read_layer_count(config, "n_layer|num_hidden_layers")), layer);
  config.ignore({"rotary", "summary_use_proj", "n_ctx"});
  HeadSpec output = read_head(request);
  if (output.kind == Head::classes) output = {Head::classes, output.labels, "score"};
  const int64_t positions = config.size("n_positions|max_position_embeddings", 2048);
  PLIM_TRY(config.finish());
  return build_decoder(request.name, spec, output, request.tokens(positions));
}

}  // namespace plimsoll
