// GPT (Radford 2018), GPT-2 (2019) and GPT BigCode: learned positions, layer norms, one layer for queries, keys and
// values.
#include <fmt/format.h>

#include "base/text.h"
#include "model/hf/request.h"

namespace plimsoll {
namespace {

// What all three have; of its width and positions each has keys of its own.
DecoderSpec gpt_decoder(const Config& config, std::string_view width, std::string_view positions, int64_t most,
                        int64_t vocabulary = 50'257) {
  DecoderSpec spec;
  spec.vocabulary = config.size("vocab_size", vocabulary);
  spec.width = config.size(width);
  spec.learned_positions = config.size(positions, most);
  spec.norm = {NormKind::layer, config.number("layer_norm_epsilon", 1e-5), ""};
  spec.tied = config.flag("tie_word_embeddings", true);
  spec.root = "transformer";
  spec.embedding = "wte";
  spec.positions = "wpe";
  spec.layers_name = "h";
  spec.final_norm_name = "ln_f";
  spec.norm_names = {"ln_1", "ln_2"};
  return spec;
}

struct GptDefaults {
  int64_t positions = 1024, vocabulary = 50'257;
};

DecoderSpec read_gpt2(const Config& config, bool multi_query, const std::string& activation,
                      const GptDefaults& defaults = {}) {
  DecoderSpec spec = gpt_decoder(config, "n_embd|hidden_size", "n_positions|max_position_embeddings",
                                 defaults.positions, defaults.vocabulary);
  const int64_t heads = config.size("n_head|num_attention_heads", 12);
  if (spec.width % heads != 0) config.fail("n_head does not divide n_embd");
  LayerSpec layer;
  layer.mixer_scope = "attn";
  layer.attention = AttentionSpec{.heads = heads,
                                  .kv_heads = multi_query ? 1 : heads,
                                  .head = std::max<int64_t>(1, spec.width / heads),
                                  .bias = true,
                                  .packed = "c_attn"};
  layer.attention->o = "c_proj";
  layer.attention->upcast = false;
  layer.mlp = FeedForwardSpec{
      .width = config.size("n_inner", 4 * spec.width), .gated = false, .bias = true, .up = "c_fc", .down = "c_proj"};
  layer.mlp->activation = read_activation(config, "activation_function", activation);
  spec.layers.assign(size_t(read_layer_count(config, "n_layer|num_hidden_layers")), layer);
  if (config.flag("add_cross_attention", false))
    config.fail("add_cross_attention is true, and a decoder beside an encoder is not supported");
  config.ignore({"summary_use_proj", "n_ctx"});
  return spec;
}

HeadSpec gpt2_head(const Request& request) {
  HeadSpec head = read_head(request);
  if (head.kind == Head::tokens) head.name = "classifier";
  return head;
}

}  // namespace

Result<Graph> build_gpt2(const Request& request) {
  DecoderSpec spec = read_gpt2(request.config, false, "gelu_new");
  const HeadSpec head = gpt2_head(request);
  PLIM_TRY(request.config.finish());
  return build_decoder(request.name, spec, head, request.tokens(spec.learned_positions));
}

// The first GPT (Radford 2018): norms after each half of a layer.
Result<Graph> build_openai_gpt(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = read_gpt2(config, false, "gelu_new", {512, 40'478});
  spec.block = BlockForm::norm_of_sum;
  spec.final_norm = false;
  spec.embedding = "tokens_embed";
  spec.positions = "positions_embed";
  const std::string activation = config.text("afn", "gelu");
  if (activation != "gelu" && activation != "relu" && activation != "silu" && activation != "swish")
    config.fail(fmt::format("afn is {}, expected gelu, relu or silu", in_quotes(activation)));
  for (auto& layer : spec.layers)
    layer.mlp->activation = activation == "gelu" ? "gelu_new" : activation == "relu" ? "relu" : "silu";
  const HeadSpec head = gpt2_head(request);
  PLIM_TRY(config.finish());
  return build_decoder(request.name, spec, head, request.tokens(spec.learned_positions));
}

Result<Graph> build_gpt_bigcode(const Request& request) {
  DecoderSpec spec = read_gpt2(request.config, request.config.flag("multi_query", true), "gelu_pytorch_tanh");
  request.config.ignore({"num_key_value_heads"});
  const HeadSpec head = gpt2_head(request);
  PLIM_TRY(request.config.finish());
  return build_decoder(request.name, spec, head, request.tokens(spec.learned_positions));
}

// GPT-Neo (Black 2021): every second layer sees a window; queries, keys and values are three layers without biases.
Result<Graph> build_gpt_neo(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec = gpt_decoder(config, "hidden_size", "max_position_embeddings", 2048);
  const int64_t heads = config.size("num_heads|num_attention_heads", 16), window = config.size("window_size", 256);
  if (spec.width % heads != 0) config.fail("num_heads does not divide hidden_size");
  LayerSpec layer;
  layer.mixer_scope = "attn.attention";
  layer.attention = AttentionSpec{.heads = heads, .kv_heads = heads, .head = std::max<int64_t>(1, spec.width / heads)};
  layer.attention->output_bias = layer.attention->single_operations = true;
  layer.attention->o = "out_proj";
  layer.attention->scale = 1;
  layer.mlp = FeedForwardSpec{.width = config.size("intermediate_size", 4 * spec.width),
                              .gated = false,
                              .bias = true,
                              .up = "c_fc",
                              .down = "c_proj"};
  layer.mlp->activation = read_activation(config, "activation_function", "gelu_new");
  spec.layers.assign(size_t(read_layer_count(config, "num_layers|num_hidden_layers")), layer);
  const auto kinds = config.words("attention_layers");
  for (size_t i = 0; i < spec.layers.size(); ++i)
    if (i < kinds.size() ? kinds[i] == "local" : i % 2 == 1) spec.layers[i].attention->window = window;
  config.ignore({"attention_types", "summary_use_proj"});
  const HeadSpec head = gpt2_head(request);
  PLIM_TRY(config.finish());
  return build_decoder(request.name, spec, head, request.tokens(spec.learned_positions));
}

}  // namespace plimsoll
