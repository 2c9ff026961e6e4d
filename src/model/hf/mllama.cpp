// Llama 3.2 Vision (Meta 2024): some layers of the text attend to a picture's tiles instead of the text, through gates
// that begin closed. A sample has one picture of as many tiles as there may be.
#include <fmt/format.h>

#include <algorithm>

#include "model/hf/llama.h"
#include "model/hf/vision.h"

namespace plimsoll {
namespace {

struct TiledVision {
  DecoderSpec local, global;
  int64_t image = 448, patch = 14, channels = 3, tiles = 4, ratios = 8;
  std::vector<int64_t> read = {3, 7, 15, 23, 30};  // layers whose states stand beside the last ones

  int64_t patches() const { return (image / patch) * (image / patch); }
};

TiledVision read_tiled_vision(const Config& config) {
  TiledVision spec;
  const int64_t width = config.size("hidden_size", 1280);
  spec.local = vision_layers(config, width, read_layer_count(config, "num_hidden_layers", 32),
                             config.size("attention_heads|num_attention_heads", 16),
                             config.size("intermediate_size", 5120), config.number("norm_eps", 1e-5));
  spec.local.norm_names = {"input_layernorm", "post_attention_layernorm"};
  spec.local.layers_name = "transformer.layers";
  const std::string activation = read_activation(config, "hidden_act", "gelu");
  for (auto& layer : spec.local.layers) {
    layer.attention->bias = false;
    layer.attention->o = "o_proj";
    layer.mlp->activation = activation;
  }
  spec.global = spec.local;
  spec.global.layers_name = "global_transformer.layers";
  LayerSpec gated = spec.local.layers[0];
  gated.mixer_scale = "gate_attn";
  gated.mlp_scale = "gate_ffn";
  gated.scalar_gates = true;
  spec.global.layers.assign(size_t(read_layer_count(config, "num_global_layers", 8)), gated);
  spec.image = config.side("image_size", 448);
  spec.patch = config.side("patch_size", 14);
  spec.channels = config.size("num_channels", 3);
  spec.tiles = config.size("max_num_tiles", 4);
  const size_t ratios = config.length("supported_aspect_ratios");
  spec.ratios = ratios > 0 ? int64_t(ratios) : 8;
  spec.read = config.counts("intermediate_layers_indices", {3, 7, 15, 23, 30});
  for (const int64_t layer : spec.read)
    if (layer >= int64_t(spec.local.layers.size()))
      config.fail("intermediate_layers_indices has a layer that is not there");
  if (spec.patch > spec.image || spec.image > 16'384 || spec.tiles > 1024)
    config.fail("image_size, patch_size and max_num_tiles are not of a picture in tiles");
  if (config.size("vision_output_dim", 7680) != width * int64_t(1 + spec.read.size()))
    config.fail("vision_output_dim is not hidden_size times the layers that are read");
  return spec;
}

// A row of a table for each shape that a picture may have, through a gate.
ValueId add_table(Builder& b, const TiledVision& spec, const std::string& name, ValueId x, int64_t numbers,
                  const std::string& table_name, bool own_gate) {
  if (b.failed()) return x;
  const ValueId table = b.parameter(name + table_name, {spec.ratios + 1, numbers});
  ValueId row = b.apply(name + ".row", "gather", {table, b.constant(name + ".index", integer_tensor({1}))},
                        {{"axis", int64_t{0}}});
  if (own_gate)
    row = b.apply(name + ".gated", "mul",
                  {row, b.apply(name + ".gate.tanh", "tanh", {b.parameter(name + ".gate", {1})})});
  const int64_t width = spec.local.width;
  // One row of numbers a tile, or one a token.
  const int64_t tokens = numbers / width;
  const ValueId spread = b.reshape(name + ".rows", row, {1, tokens, 1, width});
  const ValueId by_tile = b.reshape(name + ".tiles", x, {0, tokens, -1, width});
  return b.reshape(name + ".joined", b.add(name + ".add", by_tile, spread), {0, b.shape(x)[1], width});
}

ValueId look_at_tiles(Builder& b, const TiledVision& spec, int64_t width) {
  const ValueId picture = b.add_input("pixel_values", {spec.channels, spec.tiles * spec.image, spec.image});
  const int64_t inner = spec.local.width, each = spec.patches() + 1;
  ValueId x;
  {
    const auto scope = b.enter("vision_model");
    x = b.conv("patch_embedding", picture, inner,
               {.kernel = {spec.patch, spec.patch}, .stride = {spec.patch, spec.patch}, .bias = false});
    x = b.transpose("patches_last", b.reshape("patches", x, {0, inner, -1}), {0, 2, 1});
    if (b.failed()) return x;
    x = add_table(b, spec, "pre_tile_positional_embedding", x, spec.tiles * inner, ".embedding.weight", true);
    // The class token stands before the patches of each tile.
    const ValueId by_tile = b.reshape("by_tile", x, {0, spec.tiles, -1, inner});
    const ValueId nothing =
        scaled_by(b, "no_patch",
                  b.apply("one_patch", "gather", {by_tile, b.constant("one_patch.index", integer_tensor({0}))},
                          {{"axis", int64_t{2}}}),
                  0);
    const ValueId first = b.add("class_token", nothing, b.parameter("class_embedding", {inner}));
    x = b.reshape("tokens", b.concat("with_class", {first, by_tile}, 2), {0, spec.tiles * each, inner});
    const std::string name = "gated_positional_embedding";
    const ValueId gate = b.apply(name + ".tanh", "tanh", {b.parameter(name + ".gate", {1})});
    const ValueId places = b.apply(name + ".gated", "mul", {b.parameter(name + ".embedding", {each, inner}), gate});
    x = b.reshape("placed", b.add(name + ".add", b.reshape("tiles", x, {0, spec.tiles, each, inner}), places),
                  {0, spec.tiles * each, inner});
    x = add_table(b, spec, name, x, spec.tiles * each * inner, ".tile_embedding.weight", false);
    x = norm(b, "layernorm_pre", x, {NormKind::layer, 1e-5, ""});
    std::vector<ValueId> states;
    Surroundings around;
    around.states = &states;
    x = norm(b, "layernorm_post", decode_embedded(b, spec.local, x, around), {NormKind::layer, 1e-5, ""});
    x = add_table(b, spec, "post_tile_positional_embedding", x, spec.tiles * inner, ".embedding.weight", true);
    x = decode_embedded(b, spec.global, x);
    if (b.failed()) return x;
    std::vector<ValueId> parts{x};
    for (const int64_t layer : spec.read) parts.push_back(states[size_t(layer)]);
    x = parts.size() == 1 ? x : b.concat("all_states", parts, -1);
  }
  return b.linear("multi_modal_projector", x, width);
}

}  // namespace

Result<Graph> build_mllama(const Request& request) {
  const Config& config = request.config;
  const Config text = config.part("text_config");
  LlamaDefaults defaults{.layers = 40, .inner = 14'336, .kv_heads = 8, .vocabulary = 128'256};
  defaults.rope.theta = 500'000;
  defaults.epsilon = 1e-5;
  DecoderSpec spec = read_llama(text, defaults);
  spec.root = "language_model";
  const auto crossing = text.counts("cross_attention_layers", {3, 8, 13, 18, 23, 28, 33, 38});
  for (size_t i = 0; i < spec.layers.size(); ++i) {
    if (std::find(crossing.begin(), crossing.end(), int64_t(i)) == crossing.end()) continue;
    LayerSpec& layer = spec.layers[i];
    layer.reads_memory = layer.scalar_gates = true;
    layer.mixer_scope = "cross_attn";
    layer.mixer_scale = "cross_attn_attn_gate";
    layer.mlp_scale = "cross_attn_mlp_gate";
    layer.attention->rope.reset();
    layer.attention->causal = false;
    layer.attention->qk_norm = QkNorm::each_head;
    layer.attention->head_norm = spec.norm;
  }
  const TiledVision vision = read_tiled_vision(config.part("vision_config"));
  const HeadSpec head = read_head(request);
  const int64_t positions = read_positions(text, 131'072);
  config.ignore({"tie_word_embeddings"});
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(positions)}, DType::i64);
  constexpr int64_t kSpecial = 8;  // words for pictures that are never written
  const ValueId words = b.parameter("language_model.embed_tokens.weight", {spec.vocabulary + kSpecial, spec.width});
  ValueId x = b.apply("language_model.embed_tokens", "gather", {words, b.input()}, {{"axis", int64_t{0}}});
  Surroundings around;
  around.memory = look_at_tiles(b, vision, spec.width);
  x = decode_embedded(b, spec, x, around);
  if (head.kind == Head::language) x = b.linear("lm_head", x, spec.vocabulary, false);
  return b.finish(x);
}

}  // namespace plimsoll
