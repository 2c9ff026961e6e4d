// Encoders that are BERT but for what they embed, how they are used or how they look far: DPR (Karpukhin 2020), BigBird
// (Zaheer 2020), LayoutLM (Xu 2019), which also knows where on a page a word stands, and gte's own ("new", Zhang 2024),
// with rotary positions and gated MLPs.
#include <cmath>

#include "model/hf/bert.h"
#include "model/hf/llama.h"

namespace plimsoll {

// Questions and passages have an encoder each, the reader one for both.
Result<Graph> build_dpr(const Request& request) {
  const Config& config = request.config;
  BertSpec spec = read_bert(config, 30'522);
  const bool reads = request.ends_with("Reader");
  const std::string part = reads                                 ? "span_predictor.encoder"
                           : request.ends_with("ContextEncoder") ? "ctx_encoder"
                                                                 : "question_encoder";
  spec.root = part + ".bert_model";
  const int64_t projected = config.count("projection_dim", 0);
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(spec.positions)}, DType::i64);
  ValueId words;
  ValueId x = encode_bert(b, spec, words, 0);
  if (projected > 0) x = b.linear(part + ".encode_proj", reads ? x : first_token(b, x), projected);
  else if (!reads) x = first_token(b, x);
  if (!reads) return b.finish(x);
  b.linear("span_predictor.qa_classifier", first_token(b, x), 1);
  return b.finish(b.linear("span_predictor.qa_outputs", x, 2));
}

namespace {

// Each block of tokens sees three around it, two that all see and some others by chance: in cost a window of as many.
void add_sparse_blocks(const Config& config, BertSpec& spec, int64_t tokens) {
  const int64_t block = config.size("block_size", 64), random = config.count("num_random_blocks", 3);
  const int64_t seen = (5 + random) * block;
  if (config.text("attention_type", "block_sparse") != "block_sparse" || tokens <= (5 + 2 * random) * block) return;
  for (auto& layer : spec.encoder.layers) layer.attention->window = seen / 2 + 1;
}

}  // namespace

Result<Graph> build_big_bird(const Request& request) {
  const Config& config = request.config;
  BertSpec spec = read_bert(config, 50'358);
  const bool bias = config.flag("use_bias", true);
  const std::string activation = read_activation(config, "hidden_act", "gelu_new");
  spec.positions = config.size("max_position_embeddings", 4096);
  const int64_t labels = read_labels(config), tokens = request.tokens(spec.positions);
  for (auto& layer : spec.encoder.layers) {
    layer.attention->bias = bias;
    layer.attention->output_bias = true;
    layer.mlp->activation = activation;
  }
  add_sparse_blocks(config, spec, tokens);
  config.ignore({"block_size", "num_random_blocks"});
  PLIM_TRY(config.finish());
  Builder b(request.name, {tokens}, DType::i64);
  ValueId words;
  ValueId x = encode_bert(b, spec, words, 0);
  if (request.ends_with("ForQuestionAnswering")) {
    const auto scope = b.enter("qa_classifier");
    ValueId y = activate(b, "intermediate.act", b.linear("intermediate.dense", x, spec.encoder.layers[0].mlp->width),
                         activation);
    y = norm(b, "output.LayerNorm", b.add("add", b.linear("output.dense", y, spec.encoder.width), x),
             spec.encoder.norm);
    return b.finish(b.linear("qa_outputs", y, labels));
  }
  const ValueId pooled =
      b.apply("bert.activation", "tanh", {b.linear("bert.pooler", first_token(b, x), spec.encoder.width)});
  if (request.ends_with("ForMaskedLM") || request.ends_with("ForCausalLM"))
    return b.finish(masked_words(b, spec, x, words));
  if (request.ends_with("ForPreTraining")) {
    b.linear("cls.seq_relationship", pooled, 2);
    return b.finish(masked_words(b, spec, x, words));
  }
  if (request.ends_with("ForTokenClassification")) return b.finish(b.linear("classifier", x, labels));
  if (request.ends_with("ForSequenceClassification")) return b.finish(two_layer_classes(b, x, labels, activation));
  if (request.ends_with("ForMultipleChoice")) return b.finish(b.linear("classifier", pooled, 1));
  return b.finish(pooled);
}

namespace {

// Left, upper, right and lower edge of a word, its height and its width: two tables of places along each axis and two
// of sizes, each read here at one row, as the kinds of tokens are.
ValueId embed_on_page(Builder& b, const BertSpec& spec, int64_t page, ValueId& words) {
  const int64_t tokens = b.shape(b.input())[1];
  if (tokens > spec.positions) b.fail(user_error("a sequence longer than max_position_embeddings was asked for"));
  words = b.parameter("word_embeddings.weight", {spec.encoder.vocabulary, spec.embedding});
  ValueId x = b.apply("word_embeddings", "gather", {words, b.input()}, {{"axis", int64_t{0}}});
  const ValueId table = b.parameter("position_embeddings.weight", {spec.positions, spec.embedding});
  x = b.add("add_position", x,
            b.apply("position_embeddings", "slice",
                    {table, b.constant("positions.starts", integer_tensor({0})),
                     b.constant("positions.ends", integer_tensor({tokens})),
                     b.constant("positions.axes", integer_tensor({0}))}));
  const ValueId boxes = b.add_input("bbox", {tokens, 6}, DType::i64);
  const auto edges = b.failed() ? std::vector<ValueId>(6, x) : split_last(b, "edges", boxes, Sizes(6, 1));
  const char* const tables[] = {"x_position_embeddings", "y_position_embeddings", "x_position_embeddings",
                                "y_position_embeddings", "h_position_embeddings", "w_position_embeddings"};
  std::vector<ValueId> stored(4);
  for (size_t i = 0; i < 6 && !b.failed(); ++i) {
    const std::string name = std::string(tables[i]) + (i == 2 || i == 3 ? "_again" : "");
    ValueId& along = stored[i < 4 ? i % 2 : i - 2];
    if (!along.present()) along = b.parameter(std::string(tables[i]) + ".weight", {page, spec.embedding});
    const ValueId row = b.reshape(name + ".index", edges[i], {0, -1});
    x = b.add("add_" + name, x, b.apply(name, "gather", {along, row}, {{"axis", int64_t{0}}}));
  }
  const ValueId kinds = b.parameter("token_type_embeddings.weight", {spec.types, spec.embedding});
  x = b.add("add_type", x,
            b.apply("token_type_embeddings", "gather", {kinds, b.constant("token_type", integer_tensor({0}))},
                    {{"axis", int64_t{0}}}));
  return norm(b, "LayerNorm", x, spec.encoder.norm);
}

}  // namespace

Result<Graph> build_layoutlm(const Request& request) {
  const Config& config = request.config;
  BertSpec spec = read_bert(config, 30'522);
  spec.root = "layoutlm";
  spec.types = std::max<int64_t>(1, spec.types);
  const int64_t labels = read_labels(config), page = config.size("max_2d_position_embeddings", 1024);
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(spec.positions)}, DType::i64);
  ValueId words, x;
  {
    const auto scope = b.enter(spec.root);
    {
      const auto inner = b.enter("embeddings");
      x = embed_on_page(b, spec, page, words);
    }
    DecoderSpec layers = spec.encoder;
    layers.root = "";
    x = decode_embedded(b, layers, x);
  }
  const ValueId pooled = pool_first(b, spec.root, x);
  if (request.ends_with("ForMaskedLM")) return b.finish(masked_words(b, spec, x, words));
  if (request.ends_with("ForTokenClassification")) return b.finish(b.linear("classifier", x, labels));
  if (request.ends_with("ForQuestionAnswering")) return b.finish(b.linear("qa_outputs", x, labels));
  if (request.ends_with("ForSequenceClassification")) return b.finish(b.linear("classifier", pooled, labels));
  return b.finish(pooled);
}

namespace {

// Its longer texts turn by a larger base, and each pair a little less.
std::shared_ptr<const RopeSpec> gte_rope(const Config& config, int64_t head) {
  const Config scaling = config.part("rope_scaling");
  if (!config.has("rope_scaling") || scaling.text("type|rope_type", "") != "ntk") return read_rope(config, head);
  const double factor = scaling.number("factor", 1), base = config.number("rope_theta", 10'000) * factor;
  if (!is_sound_head(config, head) || !(factor > 0) || !(base > 0)) {
    config.fail("rope_theta or the factor of rope_scaling is not above 0");
    return nullptr;
  }
  RopeSpec rope;
  for (int64_t i = 0; i + 1 < head; i += 2)
    rope.frequencies.push_back(std::pow(base, -double(i) / double(head)) / std::pow(factor, 2 / double(head)));
  return std::make_shared<const RopeSpec>(std::move(rope));
}

}  // namespace

Result<Graph> build_gte(const Request& request) {
  const Config& config = request.config;
  const bool known = request.architecture.starts_with("Gte");  // to transformers; the other comes with its code
  BertSpec spec = read_bert(config, known ? 250'048 : 30'528);
  spec.root = known ? "gte" : "new";
  spec.positions = config.size("max_position_embeddings", 8192);
  spec.types = config.count("type_vocab_size", 1);
  DecoderSpec& encoder = spec.encoder;
  encoder.norm_names = {"attn_ln", "mlp_ln"};
  const bool turns = config.text("position_embedding_type", "rope") == "rope";
  spec.has_positions = !turns;
  const auto rope = gte_rope(config, encoder.layers[0].attention->head);
  for (auto& layer : encoder.layers) {
    layer.attention->packed = "qkv_proj";
    layer.attention->o = "o_proj";
    if (turns) layer.attention->rope = rope;
    layer.mlp_scope = "mlp";
    layer.mlp->gated = true;
    layer.mlp->bias = false;
    layer.mlp->down_bias = true;
    layer.mlp->packed = "up_gate_proj";
    layer.mlp->down = "down_proj";
  }
  if (config.text("layer_norm_type", "layer_norm") != "layer_norm") config.fail("layer_norm_type is not layer_norm");
  if (config.flag("pack_qkv", true) != true) config.fail("pack_qkv is false, which is not supported");
  const int64_t labels = read_labels(config);
  PLIM_TRY(config.finish());
  const bool alone = request.is_model_alone();
  if (alone) spec.root = "";
  Builder b(request.name, {request.tokens(spec.positions)}, DType::i64);
  ValueId words;
  ValueId x = encode_bert(b, spec, words, 0);
  if (alone) return b.finish(x);
  if (request.ends_with("ForTokenClassification")) return b.finish(b.linear("classifier", x, labels));
  if (request.ends_with("ForQuestionAnswering")) return b.finish(b.linear("qa_outputs", x, labels));
  if (request.ends_with("ForSequenceClassification") || request.ends_with("ForMultipleChoice"))
    return b.finish(
        b.linear("classifier", pool_first(b, spec.root, x), request.ends_with("ForMultipleChoice") ? 1 : labels));
  x = activate(b, "lm_head.act", b.linear("lm_head.dense", x, encoder.width), encoder.layers[0].mlp->activation);
  x = norm(b, "lm_head.norm", x, encoder.norm);
  return b.finish(word_scores(b, "lm_head.decoder", encoder, x, words, ""));
}

}  // namespace plimsoll
