// Encoders that follow BERT (Devlin 2018): ERNIE (Sun 2019), RoBERTa and XLM-R (Liu 2019, Conneau 2019), data2vec
// (Baevski 2022), Longformer (Beltagy 2020), DistilBERT (Sanh 2019) and ELECTRA (Clark 2020), with the heads that
// transformers has for them.

#include "model/hf/bert.h"

#include <fmt/format.h>

namespace plimsoll {

DecoderSpec read_bert_layers(const Config& config, int64_t width, int64_t default_heads, int64_t default_inner) {
  DecoderSpec spec;
  spec.width = width;
  spec.block = BlockForm::norm_of_sum;
  spec.final_norm = false;
  spec.norm = {NormKind::layer, config.number("layer_norm_eps", 1e-12), ""};
  spec.norm_names = {"attention.output.LayerNorm", "output.LayerNorm"};
  spec.layers_name = "encoder.layer";
  const int64_t heads = config.size("num_attention_heads", default_heads);
  if (width % heads != 0)
    config.fail(fmt::format("num_attention_heads is {}, which does not divide hidden_size {}", heads, width));
  LayerSpec layer;
  layer.mixer_scope = "attention";
  layer.mlp_scope = "";
  layer.attention =
      AttentionSpec{.heads = heads, .kv_heads = heads, .head = std::max<int64_t>(1, width / heads), .bias = true};
  layer.attention->causal = layer.attention->upcast = false;
  layer.attention->q = "self.query";
  layer.attention->k = "self.key";
  layer.attention->v = "self.value";
  layer.attention->o = "output.dense";
  layer.mlp = FeedForwardSpec{.width = config.size("intermediate_size", default_inner),
                              .gated = false,
                              .bias = true,
                              .up = "intermediate.dense",
                              .down = "output.dense"};
  layer.mlp->activation = read_activation(config, "hidden_act", "gelu");
  const auto usual = config.is_part() ? std::optional<int64_t>(12) : std::nullopt;
  spec.layers.assign(size_t(read_layer_count(config, "num_hidden_layers", usual)), layer);
  if (config.flag("add_cross_attention", false))
    config.fail("add_cross_attention is true, and a decoder beside an encoder is not supported");
  return spec;
}

BertSpec read_bert(const Config& config, int64_t vocabulary, int64_t heads, int64_t inner) {
  BertSpec spec;
  const int64_t width = config.size("hidden_size", config.is_part() ? std::optional<int64_t>(768) : std::nullopt);
  spec.encoder = read_bert_layers(config, width, heads, inner);
  spec.encoder.vocabulary = config.size("vocab_size", vocabulary);
  spec.encoder.tied = config.flag("tie_word_embeddings", true);
  spec.embedding = width;
  spec.types = config.count("type_vocab_size", 2);
  spec.positions = config.size("max_position_embeddings", 512);
  return spec;
}

namespace {

ValueId normed_embedding(Builder& b, const BertSpec& spec, ValueId x) {
  if (spec.projects_before_norm) x = b.linear("embed_proj", x, spec.encoder.width, false);
  return norm(b, "LayerNorm", x, spec.encoder.norm);
}

}  // namespace

ValueId embed_bert(Builder& b, const BertSpec& spec, ValueId& words, int64_t first_position) {
  const auto scope = b.enter(spec.embeddings);
  const int64_t tokens = b.shape(b.input())[1];
  if (spec.has_positions && tokens + first_position > spec.positions)
    b.fail(user_error(fmt::format("a sequence of {} tokens was asked for, the network has positions for {}", tokens,
                                  spec.positions - first_position)));
  words = b.parameter("word_embeddings.weight", {spec.encoder.vocabulary, spec.embedding});
  ValueId x = b.apply("word_embeddings", "gather", {words, b.input()}, {{"axis", int64_t{0}}});
  if (spec.types > 0) {
    const ValueId table = b.parameter("token_type_embeddings.weight", {spec.types, spec.embedding});
    const ValueId type = b.apply("token_type_embeddings", "gather",
                                 {table, b.constant("token_type", integer_tensor({0}))}, {{"axis", int64_t{0}}});
    x = b.add("add_type", x, type);
  }
  if (spec.tasks > 0) {
    const ValueId table = b.parameter("task_type_embeddings.weight", {spec.tasks, spec.embedding});
    const ValueId task = b.apply("task_type_embeddings", "gather",
                                 {table, b.constant("task_type", integer_tensor({0}))}, {{"axis", int64_t{0}}});
    x = b.add("add_task", x, task);
  }
  if (!spec.has_positions) return normed_embedding(b, spec, x);
  const ValueId table = b.parameter("position_embeddings.weight", {spec.positions, spec.embedding});
  const ValueId rows = b.apply("position_embeddings", "slice",
                               {table, b.constant("positions.starts", integer_tensor({first_position})),
                                b.constant("positions.ends", integer_tensor({first_position + tokens})),
                                b.constant("positions.axes", integer_tensor({0}))});
  return normed_embedding(b, spec, b.add("add_position", x, rows));
}

ValueId encode_bert(Builder& b, const BertSpec& spec, ValueId& words, int64_t first_position) {
  const auto scope = b.enter(spec.root);
  ValueId x = embed_bert(b, spec, words, first_position);
  if (spec.embedding != spec.encoder.width) x = b.linear("embeddings_project", x, spec.encoder.width);
  DecoderSpec inner = spec.encoder;
  inner.root = "";
  return decode_embedded(b, inner, x);
}

ValueId first_token(Builder& b, ValueId x) {
  return b.apply("first_token", "gather", {x, b.constant("first_token.index", integer_scalar(0))},
                 {{"axis", int64_t{1}}});
}

ValueId pool_first(Builder& b, const std::string& root, ValueId x) {
  const auto scope = b.enter(root);
  x = first_token(b, x);
  return b.apply("pooler.activation", "tanh", {b.linear("pooler.dense", x, b.shape(x)[1])});
}

// Where transformers ties the bias with the table, it goes by the name that is not the layer's; untied, both are there.
ValueId word_scores(Builder& b, const std::string& name, const DecoderSpec& spec, ValueId x, ValueId words,
                    const std::string& tied_bias) {
  if (b.failed()) return x;
  const ValueId table = spec.tied ? b.alias(name + ".weight", words) : b.parameter(name + ".weight", b.shape(words));
  const bool tied = spec.tied && !tied_bias.empty();
  if (!tied_bias.empty() && !tied) b.parameter(tied_bias, {spec.vocabulary});
  ValueId bias = b.parameter(tied ? tied_bias : name + ".bias", {spec.vocabulary});
  if (tied) bias = b.alias(name + ".bias", bias);
  return b.add(name + ".add_bias", b.apply(name, "matmul", {x, table}, {{"transB", int64_t{1}}}), bias);
}

ValueId masked_words(Builder& b, const BertSpec& spec, ValueId x, ValueId words) {
  x = activate(b, "cls.predictions.transform.act", b.linear("cls.predictions.transform.dense", x, spec.encoder.width),
               spec.encoder.layers[0].mlp->activation);
  x = norm(b, "cls.predictions.transform.LayerNorm", x, spec.encoder.norm);
  return word_scores(b, "cls.predictions.decoder", spec.encoder, x, words, "cls.predictions.bias");
}

ValueId roberta_words(Builder& b, const BertSpec& spec, ValueId x, ValueId words) {
  x = activate(b, "lm_head.act", b.linear("lm_head.dense", x, spec.encoder.width), "gelu");
  x = norm(b, "lm_head.layer_norm", x, spec.encoder.norm);
  return word_scores(b, "lm_head.decoder", spec.encoder, x, words, "lm_head.bias");
}

// A head of two layers on the first token (RoBERTa, ELECTRA).
ValueId two_layer_classes(Builder& b, ValueId x, int64_t labels, const std::string& activation) {
  x = first_token(b, x);
  x = activate(b, "classifier.act", b.linear("classifier.dense", x, b.shape(x)[1]), activation);
  return b.linear("classifier.out_proj", x, labels);
}

namespace {

// Roberta numbers positions from after its padding token.
constexpr int64_t kRobertaFirst = 2;

// Each token sees half a window on either side.
void add_windows(const Config& config, BertSpec& spec) {
  auto& layers = spec.encoder.layers;
  std::vector<int64_t> windows = config.is_list("attention_window")
                                     ? config.counts("attention_window")
                                     : std::vector<int64_t>(layers.size(), config.size("attention_window", 512));
  if (windows.size() != layers.size()) {
    config.fail("attention_window has not one entry for each layer");
    windows.resize(layers.size(), 512);
  }
  for (size_t i = 0; i < layers.size(); ++i) {
    layers[i].attention->window = windows[i] / 2 + 1;
    layers[i].attention->global_tokens = true;
  }
}

bool is_longformer(const Request& request) { return request.architecture.starts_with("Longformer"); }

std::string roberta_root(const Request& request) {
  if (request.architecture.starts_with("Data2VecText")) return "data2vec_text";
  return is_longformer(request) ? "longformer" : "roberta";
}

}  // namespace

Result<Graph> build_bert(const Request& request) {
  const Config& config = request.config;
  BertSpec spec = read_bert(config, 30'522);
  if (request.architecture.starts_with("Ernie")) {
    spec.root = "ernie";
    if (config.flag("use_task_id", false)) spec.tasks = config.size("task_type_vocab_size", 3);
    config.ignore({"task_type_vocab_size"});
  }
  const int64_t labels = read_labels(config);
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(spec.positions)}, DType::i64);
  ValueId words;
  ValueId x = encode_bert(b, spec, words, 0);
  if (request.ends_with("ForMaskedLM") || request.ends_with("LMHeadModel") || request.ends_with("ForCausalLM"))
    return b.finish(masked_words(b, spec, x, words));
  if (request.ends_with("ForTokenClassification")) return b.finish(b.linear("classifier", x, labels));
  if (request.ends_with("ForQuestionAnswering")) return b.finish(b.linear("qa_outputs", x, labels));
  const ValueId pooled = pool_first(b, spec.root, x);
  if (request.ends_with("ForPreTraining")) {
    x = masked_words(b, spec, x, words);
    b.linear("cls.seq_relationship", pooled, 2);
    return b.finish(x);
  }
  if (request.ends_with("ForNextSentencePrediction")) return b.finish(b.linear("cls.seq_relationship", pooled, 2));
  if (request.ends_with("ForSequenceClassification")) return b.finish(b.linear("classifier", pooled, labels));
  if (request.ends_with("ForMultipleChoice")) return b.finish(b.linear("classifier", pooled, 1));
  return b.finish(pooled);
}

Result<Graph> build_roberta(const Request& request) {
  const Config& config = request.config;
  BertSpec spec = read_bert(config, request.architecture.starts_with("Roberta") ? 50'265 : 30'522);
  spec.root = roberta_root(request);
  if (is_longformer(request)) add_windows(config, spec);
  const int64_t labels = read_labels(config);
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(std::max<int64_t>(1, spec.positions - kRobertaFirst))}, DType::i64);
  ValueId words;
  ValueId x = encode_bert(b, spec, words, kRobertaFirst);
  if (request.ends_with("ForMaskedLM") || request.ends_with("ForCausalLM"))
    return b.finish(roberta_words(b, spec, x, words));
  if (request.ends_with("ForTokenClassification")) return b.finish(b.linear("classifier", x, labels));
  if (request.ends_with("ForQuestionAnswering")) return b.finish(b.linear("qa_outputs", x, labels));
  if (request.ends_with("ForSequenceClassification")) return b.finish(two_layer_classes(b, x, labels, "tanh"));
  x = pool_first(b, spec.root, x);
  if (request.ends_with("ForMultipleChoice")) x = b.linear("classifier", x, 1);
  return b.finish(x);
}

namespace {

// ELECTRA's one vector of a text: its first token, through a layer if the file asks for one.
struct Summary {
  bool projects = true;
  std::string activation;
};

ValueId summary(Builder& b, const BertSpec& spec, ValueId x, const Summary& how) {
  x = first_token(b, x);
  if (how.projects) x = b.linear("sequence_summary.summary", x, spec.encoder.width);
  return how.activation.empty() ? x : activate(b, "sequence_summary.activation", x, how.activation);
}

}  // namespace

Result<Graph> build_electra(const Request& request) {
  const Config& config = request.config;
  BertSpec spec = read_bert(config, 30'522, 4, 1024);
  spec.root = "electra";
  spec.embedding = config.size("embedding_size", 128);
  const int64_t labels = read_labels(config);
  const bool null_activation = config.is_null("summary_activation");
  const Summary summed{config.flag("summary_use_proj", true),
                       null_activation ? "" : read_activation(config, "summary_activation", "gelu")};
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(spec.positions)}, DType::i64);
  ValueId words;
  ValueId x = encode_bert(b, spec, words, 0);
  const std::string& activation = spec.encoder.layers[0].mlp->activation;
  if (request.ends_with("ForMaskedLM") || request.ends_with("ForCausalLM")) {
    x = activate(b, "generator_predictions.act", b.linear("generator_predictions.dense", x, spec.embedding), "gelu");
    x = norm(b, "generator_predictions.LayerNorm", x, spec.encoder.norm);
    return b.finish(word_scores(b, "generator_lm_head", spec.encoder, x, words, ""));
  }
  if (request.ends_with("ForPreTraining")) {
    x = activate(b, "discriminator_predictions.act", b.linear("discriminator_predictions.dense", x, spec.encoder.width),
                 activation);
    return b.finish(b.linear("discriminator_predictions.dense_prediction", x, 1));
  }
  if (request.ends_with("ForTokenClassification")) return b.finish(b.linear("classifier", x, labels));
  if (request.ends_with("ForQuestionAnswering")) return b.finish(b.linear("qa_outputs", x, labels));
  if (request.ends_with("ForSequenceClassification")) return b.finish(two_layer_classes(b, x, labels, "gelu"));
  if (request.ends_with("ForMultipleChoice")) return b.finish(b.linear("classifier", summary(b, spec, x, summed), 1));
  return b.finish(x);
}

Result<Graph> build_distilbert(const Request& request) {
  const Config& config = request.config;
  BertSpec spec;
  const int64_t width = config.size("dim|hidden_size"), heads = config.size("n_heads|num_attention_heads", 12);
  spec.embedding = spec.encoder.width = width;
  spec.encoder.vocabulary = config.size("vocab_size", 30'522);
  spec.encoder.tied = config.flag("tie_word_embeddings", true);
  spec.encoder.block = BlockForm::norm_of_sum;
  spec.encoder.final_norm = false;
  spec.encoder.norm = {NormKind::layer, 1e-12, ""};
  spec.encoder.norm_names = {"sa_layer_norm", "output_layer_norm"};
  spec.encoder.layers_name = "transformer.layer";
  spec.root = "distilbert";
  spec.types = 0;
  spec.positions = config.size("max_position_embeddings", 512);
  if (width % heads != 0) config.fail("n_heads does not divide dim");
  LayerSpec layer;
  layer.mixer_scope = "attention";
  layer.mlp_scope = "ffn";
  layer.attention =
      AttentionSpec{.heads = heads, .kv_heads = heads, .head = std::max<int64_t>(1, width / heads), .bias = true};
  layer.attention->causal = layer.attention->upcast = false;
  layer.attention->q = "q_lin";
  layer.attention->k = "k_lin";
  layer.attention->v = "v_lin";
  layer.attention->o = "out_lin";
  layer.mlp = FeedForwardSpec{
      .width = config.size("hidden_dim", 3072), .gated = false, .bias = true, .up = "lin1", .down = "lin2"};
  layer.mlp->activation = read_activation(config, "activation", "gelu");
  spec.encoder.layers.assign(size_t(read_layer_count(config, "n_layers|num_hidden_layers")), layer);
  const int64_t labels = read_labels(config);
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(spec.positions)}, DType::i64);
  ValueId words;
  ValueId x = encode_bert(b, spec, words, 0);
  if (request.ends_with("ForMaskedLM")) {
    x = activate(b, "activation", b.linear("vocab_transform", x, width), layer.mlp->activation);
    x = norm(b, "vocab_layer_norm", x, spec.encoder.norm);
    return b.finish(word_scores(b, "vocab_projector", spec.encoder, x, words, ""));
  }
  if (request.ends_with("ForTokenClassification")) return b.finish(b.linear("classifier", x, labels));
  if (request.ends_with("ForQuestionAnswering")) return b.finish(b.linear("qa_outputs", x, labels));
  if (request.ends_with("ForSequenceClassification") || request.ends_with("ForMultipleChoice")) {
    x = b.relu("pre_classifier.relu", b.linear("pre_classifier", first_token(b, x), width));
    x = b.linear("classifier", x, request.ends_with("ForMultipleChoice") ? 1 : labels);
  }
  return b.finish(x);
}

}  // namespace plimsoll
