// DeBERTa (He 2020), V2 and V3 (He 2021): scores of attention have two more terms, of what a token is with how far away
// another one stands, and the other way round. The distances are rows of one table, shared by all layers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/hf/bert.h"

namespace plimsoll {
namespace {

struct DebertaSpec {
  BertSpec bert;
  int64_t span = 0, buckets = 0;  // distances on each side; 0: no relative attention. buckets: far ones share a row
  bool shares_key = false, content_to_position = false, position_to_content = false, normed = false;
  bool positions = true, legacy = true;
  bool first = false;  // version 1: one layer for queries, keys and values, and distances without shared rows
  int64_t conv_kernel = 0, conv_groups = 1;
  std::string conv_activation = "tanh";
};

bool has_word(const Config& config, std::string_view key, const std::string& word) {
  if (config.is_list(key)) {
    const auto list = config.words(key);
    return std::find(list.begin(), list.end(), word) != list.end();
  }
  return config.has(key) && config.text(key, "").find(word) != std::string::npos;
}

void ignore_deberta(const Config& config) {
  config.ignore({"max_relative_positions", "position_buckets", "pos_att_type", "pooler_hidden_size",
                 "attention_head_size", "pooler_hidden_act"});
}

DebertaSpec read_deberta(const Config& config, bool first) {
  DebertaSpec spec;
  spec.bert = first ? read_bert(config, 50'265, 12, 3072) : read_bert(config, 128'100, 24, 6144);
  spec.first = first;
  spec.bert.root = "deberta";
  spec.bert.types = config.count("type_vocab_size", 0);
  spec.bert.embedding = config.size("embedding_size", spec.bert.encoder.width);
  spec.bert.encoder.norm.epsilon = config.number("layer_norm_eps", 1e-7);
  spec.positions = config.flag("position_biased_input", true);
  spec.legacy = config.flag("legacy", true);
  spec.shares_key = config.flag("share_att_key", false);
  spec.normed = has_word(config, "norm_rel_ebd", "layer_norm");
  if (config.flag("relative_attention", false)) {
    const double most = config.number("max_relative_positions", -1),
                 buckets = first ? -1 : config.number("position_buckets", -1);
    spec.buckets = buckets > 0 ? int64_t(buckets) : 0;
    spec.span = spec.buckets > 0 ? spec.buckets : most >= 1 ? int64_t(most) : spec.bert.positions;
    spec.content_to_position = has_word(config, "pos_att_type", "c2p");
    spec.position_to_content = has_word(config, "pos_att_type", "p2c");
    if (spec.span > 1 << 20) config.fail("max_relative_positions or position_buckets is above 2^20");
  }
  if (first && config.flag("talking_head", false)) config.fail("talking_head is true, which is not supported");
  if (first) {
    ignore_deberta(config);
    return spec;
  }
  spec.conv_kernel = config.count("conv_kernel_size", 0);
  spec.conv_groups = config.size("conv_groups", 1);
  spec.conv_activation = read_activation(config, "conv_act", "tanh");
  ignore_deberta(config);
  return spec;
}

// Near distances have a row each, far ones share rows ever more: the row of a distance, from 0 to 2 · span.
int64_t row_of(const DebertaSpec& spec, int64_t distance, int64_t positions) {
  int64_t row = distance;
  const int64_t middle = spec.buckets / 2;
  if (spec.buckets > 0 && std::abs(distance) > middle && middle > 0) {
    const double share = std::log(double(std::abs(distance)) / double(middle)) /
                         std::log(double(std::max<int64_t>(positions - 1, middle + 1)) / double(middle));
    row = (int64_t(std::ceil(share * double(middle - 1))) + middle) * (distance < 0 ? -1 : 1);
  }
  return std::clamp<int64_t>(row + spec.span, 0, 2 * spec.span - 1);
}

class Disentangled {
 public:
  Disentangled(Builder& b, const DebertaSpec& spec, ValueId distances)
      : b_(b), spec_(spec), layer_(spec.bert.encoder.layers[0]), distances_(distances) {}

  ValueId layer(const std::string& name, ValueId x) {
    if (b_.failed()) return x;
    const auto scope = b_.enter(name);
    const NormSpec& norm_spec = spec_.bert.encoder.norm;
    ValueId y = b_.linear("attention.output.dense", attention(name, x), spec_.bert.encoder.width);
    x = norm(b_, "attention.output.LayerNorm", b_.add("add_0", x, y), norm_spec);
    y = feed_forward_block(b_, *layer_.mlp, x);
    return norm(b_, "output.LayerNorm", b_.add("add_1", x, y), norm_spec);
  }

 private:
  int64_t heads() const { return layer_.attention->heads; }
  int64_t head() const { return layer_.attention->head; }

  ValueId attention(const std::string& name, ValueId x) {
    const auto scope = b_.enter("attention.self");
    const std::string owner = fmt::format("deberta.encoder.{}.attention.self", name);
    const int64_t width = heads() * head();
    ValueId q, k, v;
    {
      const auto own = b_.share(owner);
      if (spec_.first) {
        const auto parts =
            split_last(b_, "in_proj.split", b_.linear("in_proj", x, 3 * width, false), {width, width, width});
        q = b_.add("add_q_bias", parts[0], b_.parameter("q_bias", {width}));
        k = parts[1];
        v = b_.add("add_v_bias", parts[2], b_.parameter("v_bias", {width}));
      } else {
        q = b_.linear("query_proj", x, width);
        k = b_.linear("key_proj", x, width);
        v = b_.linear("value_proj", x, width);
      }
    }
    AttentionSpec attention = *layer_.attention;
    attention.single_operations = true;
    const int terms = 1 + spec_.content_to_position + spec_.position_to_content;
    attention.scale = 1 / std::sqrt(double(head() * terms));
    std::vector<ValueId> inputs{q, k, v};
    if (terms > 1) inputs.push_back(bias(owner, q, k, attention.scale));
    return b_.apply_many("attention", "grouped_attention", std::move(inputs), attention_attributes(attention), 2)[0];
  }

  ValueId bias(const std::string& owner, ValueId q, ValueId k, double scale) {
    const auto scope = b_.enter("relative");
    const auto own = b_.share(owner);
    std::optional<ValueId> sum;
    if (spec_.content_to_position)
      sum = term("c2p", q, spec_.first ? "pos_proj" : spec_.shares_key ? "key_proj" : "pos_key_proj", false);
    if (spec_.position_to_content) {
      const ValueId other = term("p2c", k,
                                 spec_.first        ? "pos_q_proj"
                                 : spec_.shares_key ? "query_proj"
                                                    : "pos_query_proj",
                                 true);
      sum = sum ? b_.add("sum", *sum, other) : other;
    }
    return scaled_by(b_, "scale", *sum, scale);
  }

  // Each head's product with all distances, of which each pair of tokens takes its own.
  ValueId term(const std::string& name, ValueId tokens, const std::string& layer, bool turned) {
    if (b_.failed()) return tokens;
    const int64_t length = b_.shape(tokens)[1];
    const auto by_head = [&](const std::string& what, ValueId x, const Sizes& shape, const Sizes& order) {
      return b_.transpose(what + ".by_head", b_.reshape(what + ".heads", x, shape), order);
    };
    const ValueId t = by_head(name, tokens, {0, 0, heads(), head()}, {0, 2, 1, 3});
    const ValueId far = b_.linear(layer, distances_, heads() * head(), !spec_.first || turned);
    const ValueId d = by_head(name + "_distances", far, {-1, heads(), head()}, {1, 2, 0});
    const ValueId scores = b_.apply(name, "matmul", {t, d});
    // Pairs are taken row by row from (tokens × distances), whatever the sample and the head.
    const ValueId rows =
        b_.reshape(name + ".flat", b_.transpose(name + ".rows", scores, {2, 3, 0, 1}), {length * 2 * spec_.span, -1});
    const ValueId taken = b_.apply(name + ".taken", "gather", {rows, pairs(turned, length)}, {{"axis", int64_t{0}}});
    const ValueId square = b_.reshape(name + ".square", taken, {length, length, -1, heads()});
    return b_.transpose(name + ".scores", square, turned ? Sizes{2, 3, 1, 0} : Sizes{2, 3, 0, 1});
  }

  // Which row each pair of tokens reads, the same in all layers.
  ValueId pairs(bool turned, int64_t length) {
    ValueId& known = pairs_[turned];
    if (known.present()) return known;
    std::vector<int64_t> index;
    for (int64_t i = 0; i < length; ++i)
      for (int64_t j = 0; j < length; ++j)
        index.push_back(i * 2 * spec_.span + row_of(spec_, turned ? j - i : i - j, spec_.bert.positions));
    known = b_.constant(turned ? "p2c.pairs" : "c2p.pairs", integer_tensor(index));
    return known;
  }

  Builder& b_;
  const DebertaSpec& spec_;
  const LayerSpec& layer_;
  ValueId distances_;
  std::array<ValueId, 2> pairs_;
};

ValueId convolved(Builder& b, const DebertaSpec& spec, ValueId embedded, ValueId x) {
  if (spec.conv_kernel == 0 || b.failed()) return x;
  const auto scope = b.enter("encoder.conv");
  ValueId y =
      b.conv("conv", b.transpose("channels_first", embedded, {0, 2, 1}), spec.bert.encoder.width,
             {.kernel = {spec.conv_kernel}, .padding = {(spec.conv_kernel - 1) / 2}, .groups = spec.conv_groups});
  y = activate(b, "act", b.transpose("channels_last", y, {0, 2, 1}), spec.conv_activation);
  return norm(b, "LayerNorm", b.add("add", x, y), spec.bert.encoder.norm);
}

ValueId embed_deberta(Builder& b, const DebertaSpec& spec, ValueId& words) {
  BertSpec bert = spec.bert;
  bert.has_positions = spec.positions;
  bert.projects_before_norm = bert.embedding != bert.encoder.width;
  return embed_bert(b, bert, words, 0);
}

ValueId encode_deberta(Builder& b, const DebertaSpec& spec, ValueId& words) {
  const auto scope = b.enter("deberta");
  const ValueId embedded = embed_deberta(b, spec, words);
  ValueId distances;
  const int64_t width = spec.bert.encoder.width;
  if (spec.span > 0 && !b.failed()) {
    distances = b.parameter("encoder.rel_embeddings.weight", {2 * spec.span, width});
    if (spec.normed) distances = norm(b, "encoder.LayerNorm", distances, spec.bert.encoder.norm);
  }
  ValueId x = embedded;
  Disentangled layers(b, spec, distances);
  for (size_t i = 0; i < spec.bert.encoder.layers.size(); ++i) {
    const auto inner = b.enter("encoder");
    x = layers.layer(fmt::format("layer.{}", i), x);
    if (i == 0) x = convolved(b, spec, embedded, x);
  }
  return x;
}

}  // namespace

Result<Graph> build_deberta(const Request& request) {
  const Config& config = request.config;
  const DebertaSpec spec = read_deberta(config, !request.architecture.starts_with("DebertaV2"));
  const int64_t labels = read_labels(config), width = spec.bert.encoder.width;
  PLIM_TRY(config.finish());
  constexpr int64_t kMostTokens = 4096;  // a row for each pair of them
  const int64_t tokens = request.tokens(spec.bert.positions);
  if (spec.span > 0 && tokens > kMostTokens)
    return user_error(
        fmt::format("a sequence of {} tokens was asked for, expected at most {} where each pair of tokens "
                    "has its distance",
                    tokens, kMostTokens));
  Builder b(request.name, {tokens}, DType::i64);
  ValueId words;
  ValueId x = encode_deberta(b, spec, words);
  const std::string& activation = spec.bert.encoder.layers[0].mlp->activation;
  if (request.ends_with("ForMaskedLM")) {
    const std::string name = spec.legacy ? "cls.predictions.transform" : "lm_predictions.lm_head";
    x = activate(b, name + ".act", b.linear(name + ".dense", x, spec.legacy ? spec.bert.embedding : width), activation);
    x = norm(b, name + ".LayerNorm", x, spec.bert.encoder.norm);
    return b.finish(word_scores(b, spec.legacy ? "cls.predictions.decoder" : "lm_predictions.lm_head",
                                spec.bert.encoder, x, words, spec.legacy ? "cls.predictions.bias" : ""));
  }
  if (request.ends_with("ForTokenClassification")) return b.finish(b.linear("classifier", x, labels));
  if (request.ends_with("ForQuestionAnswering")) return b.finish(b.linear("qa_outputs", x, labels));
  if (request.is_model_alone()) return b.finish(x);
  x = activate(b, "pooler.act", b.linear("pooler.dense", first_token(b, x), width), "gelu");
  return b.finish(b.linear("classifier", x, request.ends_with("ForMultipleChoice") ? 1 : labels));
}

}  // namespace plimsoll
