// LayoutLMv3 (Huang 2022): words with their places on a page and the page's picture in patches as one sequence, whose
// scores know how far apart two of them are, in the text and on the page. A sample has max_position_embeddings words.
#include "model/hf/bert.h"
#include "model/hf/vision.h"

namespace plimsoll {
namespace {

struct PageSpec {
  BertSpec text;
  VisionSpec picture;
  int64_t page, coordinate, shape, bins, page_bins;
  bool by_order, by_place, sees;
};

PageSpec read_page(const Config& config) {
  PageSpec spec{read_bert(config, 50'265),
                {},
                config.size("max_2d_position_embeddings", 1024),
                config.size("coordinate_size", 128),
                config.size("shape_size", 128),
                config.size("rel_pos_bins", 32),
                config.size("rel_2d_pos_bins", 64),
                config.flag("has_relative_attention_bias", true),
                config.flag("has_spatial_attention_bias", true),
                config.flag("visual_embed", true)};
  spec.text.encoder.norm.epsilon = config.number("layer_norm_eps", 1e-5);
  spec.text.types = std::max<int64_t>(1, spec.text.types);
  const int64_t width = spec.text.encoder.width;
  if (4 * spec.coordinate + 2 * spec.shape != width)
    config.fail("four times coordinate_size and twice shape_size are not hidden_size");
  if (!config.flag("text_embed", true)) config.fail("text_embed is false, which is not supported");
  spec.picture.encoder.width = width;
  spec.picture.image = config.size("input_size", 224);
  spec.picture.patch = config.side("patch_size", 16);
  spec.picture.channels = config.size("num_channels", 3);
  spec.picture.patches = "patch_embed.proj";
  spec.picture.positions = "pos_embed";
  if (spec.picture.patch > spec.picture.image || spec.picture.image > 4096)
    config.fail("input_size and patch_size do not make patches of a picture of up to 4096");
  config.ignore({"max_rel_pos", "max_rel_2d_pos", "second_input_size"});
  return spec;
}

constexpr int64_t kPageFirst = 2;  // positions are numbered from after the padding token

ValueId embed_words_on_page(Builder& b, const PageSpec& spec, ValueId& words) {
  const auto scope = b.enter("embeddings");
  const BertSpec& text = spec.text;
  const int64_t tokens = b.shape(b.input())[1];
  words = b.parameter("word_embeddings.weight", {text.encoder.vocabulary, text.encoder.width});
  ValueId x = b.apply("word_embeddings", "gather", {words, b.input()}, {{"axis", int64_t{0}}});
  const ValueId kinds = b.parameter("token_type_embeddings.weight", {text.types, text.encoder.width});
  x = b.add("add_type", x,
            b.apply("token_type_embeddings", "gather", {kinds, b.constant("token_type", integer_tensor({0}))},
                    {{"axis", int64_t{0}}}));
  const ValueId table = b.parameter("position_embeddings.weight", {text.positions, text.encoder.width});
  x = b.add("add_position", x,
            b.apply("position_embeddings", "slice",
                    {table, b.constant("positions.starts", integer_tensor({kPageFirst})),
                     b.constant("positions.ends", integer_tensor({kPageFirst + tokens})),
                     b.constant("positions.axes", integer_tensor({0}))}));
  const ValueId boxes = b.add_input("bbox", {tokens, 6}, DType::i64);
  if (b.failed()) return x;
  const auto edges = split_last(b, "edges", boxes, Sizes(6, 1));
  std::vector<ValueId> stored, parts;
  for (const auto& [name, size] :
       {std::pair("x_position_embeddings", spec.coordinate), std::pair("y_position_embeddings", spec.coordinate),
        std::pair("h_position_embeddings", spec.shape), std::pair("w_position_embeddings", spec.shape)})
    stored.push_back(b.parameter(std::string(name) + ".weight", {spec.page, size}));
  const size_t tables[] = {0, 1, 0, 1, 2, 3};
  for (size_t i = 0; i < 6; ++i) {
    const std::string name = "edge_" + std::to_string(i);
    parts.push_back(b.apply(name, "gather", {stored[tables[i]], b.reshape(name + ".index", edges[i], {0, -1})},
                            {{"axis", int64_t{0}}}));
  }
  return norm(b, "LayerNorm", b.add("add_place", x, b.concat("place", parts, -1)), text.encoder.norm);
}

// A row of each head's numbers for the bin of a distance; the same for all samples.
ValueId distance_bias(Builder& b, const std::string& name, int64_t bins, int64_t heads, int64_t length) {
  const ValueId table = b.parameter(name + ".weight", {heads, bins});
  std::vector<int64_t> rows;
  for (int64_t i = 0; i < length; ++i)
    for (int64_t j = 0; j < length; ++j) rows.push_back((i > j ? i - j : j - i) % bins);
  const ValueId taken =
      b.apply(name, "gather", {table, b.constant(name + ".bins", integer_tensor(rows))}, {{"axis", int64_t{1}}});
  return b.reshape(name + ".square", taken, {1, heads, length, length});
}

ValueId read_whole_page(Builder& b, const PageSpec& spec, ValueId& words) {
  ValueId x = embed_words_on_page(b, spec, words);
  if (spec.sees) {
    const ValueId picture =
        b.add_input("pixel_values", {spec.picture.channels, spec.picture.image, spec.picture.image});
    const ValueId seen = norm(b, "norm", embed_patches(b, spec.picture, picture), {NormKind::layer, 1e-6, ""});
    x = norm(b, "LayerNorm", b.concat("words_and_patches", {x, seen}), spec.text.encoder.norm);
  }
  if (b.failed()) return x;
  const int64_t length = b.shape(x)[1], heads = spec.text.encoder.layers[0].attention->heads;
  Surroundings around;
  const auto add = [&](const char* name, int64_t bins) {
    const auto scope = b.enter("encoder");
    const ValueId bias = distance_bias(b, name, bins, heads, length);
    around.score_bias = around.score_bias.present() ? b.add(std::string(name) + ".add", around.score_bias, bias) : bias;
  };
  if (spec.by_order) add("rel_pos_bias", spec.bins);
  if (spec.by_place) add("rel_pos_x_bias", spec.page_bins);
  if (spec.by_place) add("rel_pos_y_bias", spec.page_bins);
  DecoderSpec layers = spec.text.encoder;
  layers.root = "";
  for (auto& layer : layers.layers) layer.attention->single_operations = true;
  return decode_embedded(b, layers, x, around);
}

}  // namespace

Result<Graph> build_layoutlmv3(const Request& request) {
  const Config& config = request.config;
  const PageSpec spec = read_page(config);
  const int64_t labels = read_labels(config), most = std::max<int64_t>(1, spec.text.positions - kPageFirst);
  const int64_t tokens = request.tokens(most);
  PLIM_TRY(config.finish());
  if (tokens > most)
    return user_error("a sequence longer than max_position_embeddings was asked for", "ask for a shorter --sequence");
  Builder b(request.name, {tokens}, DType::i64);
  ValueId words, x;
  {
    const auto scope = b.enter(request.is_model_alone() ? "" : "layoutlmv3");
    x = read_whole_page(b, spec, words);
  }
  if (request.is_model_alone()) return b.finish(x);
  const std::string head = request.ends_with("ForQuestionAnswering") ? "qa_outputs" : "classifier";
  const bool of_tokens = request.ends_with("ForTokenClassification");
  if (of_tokens && labels < 10) return b.finish(b.linear(head, x, labels));
  if (request.ends_with("ForSequenceClassification")) x = first_token(b, x);
  x = b.apply(head + ".tanh", "tanh", {b.linear(head + ".dense", x, spec.text.encoder.width)});
  return b.finish(b.linear(head + ".out_proj", x, labels));
}

}  // namespace plimsoll
