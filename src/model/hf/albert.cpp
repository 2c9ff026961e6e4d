// ALBERT (Lan 2019), whose layers share their parameters, MPNet (Song 2020) with a bias of relative positions, and
// ModernBERT (Warner 2024) with rotary positions, gated MLPs and windows.
#include <fmt/format.h>

#include "model/hf/bert.h"
#include "model/hf/llama.h"

namespace plimsoll {
namespace {

// What follows the last states, where the head is the same in all of them.
std::optional<ValueId> usual_head(Builder& b, const Request& request, ValueId x, int64_t labels) {
  if (request.ends_with("ForTokenClassification")) return b.linear("classifier", x, labels);
  if (request.ends_with("ForQuestionAnswering")) return b.linear("qa_outputs", x, labels);
  return std::nullopt;
}

}  // namespace

Result<Graph> build_albert(const Request& request) {
  const Config& config = request.config;
  BertSpec spec = read_bert(config, 30'000, 64, 16'384);
  const std::string activation = read_activation(config, "hidden_act", "gelu_new");
  spec.root = "albert";
  spec.embedding = config.size("embedding_size", 128);
  spec.encoder.norm_names = {"attention.LayerNorm", "full_layer_layer_norm"};
  const int64_t groups = config.size("num_hidden_groups", 1), inner = config.size("inner_group_num", 1);
  const auto layers = int64_t(spec.encoder.layers.size());
  if (groups > layers) config.fail(fmt::format("num_hidden_groups is {}, more than the {} layers", groups, layers));
  constexpr int64_t kMostSteps = 10'000;
  if (layers * inner > kMostSteps)
    config.fail(fmt::format("{} layers of inner_group_num {} each were found, expected at most {} together", layers,
                            inner, kMostSteps));
  LayerSpec layer = spec.encoder.layers[0];
  layer.attention->q = "query";
  layer.attention->k = "key";
  layer.attention->v = "value";
  layer.attention->o = "dense";
  layer.mlp->up = "ffn";
  layer.mlp->down = "ffn_output";
  layer.mlp->activation = activation;
  spec.encoder.layers.clear();
  for (int64_t i = 0; i < layers && !config.failed(); ++i)
    for (int64_t k = 0; k < inner; ++k) {
      layer.owner = fmt::format("albert.encoder.albert_layer_groups.{}.albert_layers.{}", i * groups / layers, k);
      spec.encoder.layers.push_back(layer);
    }
  const int64_t labels = read_labels(config);
  config.ignore({"net_structure_type", "num_memory_blocks", "gap_size", "down_scale_factor"});
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(spec.positions)}, DType::i64);
  ValueId words, x;
  {
    const auto scope = b.enter(spec.root);
    x = embed_bert(b, spec, words, 0);
    x = b.linear("encoder.embedding_hidden_mapping_in", x, spec.encoder.width);
    DecoderSpec stack = spec.encoder;
    stack.root = "";
    x = decode_embedded(b, stack, x);
  }
  const auto scores = [&](ValueId y) {
    y = activate(b, "predictions.act", b.linear("predictions.dense", y, spec.embedding), activation);
    y = norm(b, "predictions.LayerNorm", y, spec.encoder.norm);
    return word_scores(b, "predictions.decoder", spec.encoder, y, words, "predictions.bias");
  };
  if (request.ends_with("ForMaskedLM")) return b.finish(scores(x));
  if (const auto head = usual_head(b, request, x, labels)) return b.finish(*head);
  const ValueId pooled =
      b.apply("pooler.activation", "tanh", {b.linear("albert.pooler", first_token(b, x), spec.encoder.width)});
  if (request.ends_with("ForPreTraining")) {
    b.linear("sop_classifier.classifier", pooled, labels);
    return b.finish(scores(x));
  }
  if (request.ends_with("ForSequenceClassification")) return b.finish(b.linear("classifier", pooled, labels));
  if (request.ends_with("ForMultipleChoice")) return b.finish(b.linear("classifier", pooled, 1));
  return b.finish(pooled);
}

Result<Graph> build_mpnet(const Request& request) {
  const Config& config = request.config;
  BertSpec spec = read_bert(config, 30'527);
  spec.root = "mpnet";
  spec.types = 0;
  for (auto& layer : spec.encoder.layers) {
    layer.attention->q = "attn.q";
    layer.attention->k = "attn.k";
    layer.attention->v = "attn.v";
    layer.attention->o = "attn.o";
    layer.attention->single_operations = true;
  }
  spec.encoder.norm_names = {"attention.LayerNorm", "output.LayerNorm"};
  const int64_t buckets = config.size("relative_attention_num_buckets", 32), labels = read_labels(config);
  config.ignore({"type_vocab_size"});
  PLIM_TRY(config.finish());
  constexpr int64_t kFirst = 2;  // positions count from after the padding token
  const int64_t tokens = request.tokens(std::max<int64_t>(1, spec.positions - kFirst));
  Builder b(request.name, {tokens}, DType::i64);
  ValueId words, x;
  {
    const auto scope = b.enter(spec.root);
    x = embed_bert(b, spec, words, kFirst);
    const ValueId table =
        b.parameter("encoder.relative_attention_bias.weight", {buckets, spec.encoder.layers[0].attention->heads});
    Surroundings around;
    around.score_bias =
        b.apply("encoder.relative_attention_bias", "relative_bias", {table},
                {{"queries", tokens}, {"keys", tokens}, {"max_distance", int64_t{128}}, {"bidirectional", int64_t{1}}});
    DecoderSpec stack = spec.encoder;
    stack.root = "";
    x = decode_embedded(b, stack, x, around);
  }
  if (request.ends_with("ForMaskedLM")) return b.finish(roberta_words(b, spec, x, words));
  if (const auto head = usual_head(b, request, x, labels)) return b.finish(*head);
  if (request.ends_with("ForSequenceClassification")) return b.finish(two_layer_classes(b, x, labels, "tanh"));
  x = pool_first(b, spec.root, x);
  if (request.ends_with("ForMultipleChoice")) x = b.linear("classifier", x, 1);
  return b.finish(x);
}

Result<Graph> build_modernbert(const Request& request) {
  const Config& config = request.config;
  DecoderSpec spec;
  spec.vocabulary = config.size("vocab_size", 50'368);
  spec.width = config.size("hidden_size");
  const bool norm_bias = config.flag("norm_bias", false);
  spec.norm = {norm_bias ? NormKind::layer : NormKind::layer_without_bias, config.number("norm_eps", 1e-5), ""};
  spec.tied = config.flag("tie_word_embeddings", true);
  spec.embedding_norm = true;
  spec.embedding_norm_name = "embeddings.norm";
  spec.embedding = "embeddings.tok_embeddings";
  spec.final_norm_name = "final_norm";
  spec.norm_names = {"attn_norm", "mlp_norm"};
  const HeadSizes heads = read_heads(config, spec.width, 12, 0, 0);
  LayerSpec layer;
  layer.mixer_scope = "attn";
  layer.attention = AttentionSpec{.heads = heads.heads, .kv_heads = heads.heads, .head = heads.head};
  layer.attention->bias = config.flag("attention_bias", false);
  layer.attention->packed = "Wqkv";
  layer.attention->o = "Wo";
  layer.attention->causal = false;
  layer.mlp = FeedForwardSpec{.width = config.size("intermediate_size", 1152)};
  layer.mlp->bias = config.flag("mlp_bias", false);
  layer.mlp->packed = "Wi";
  layer.mlp->down = "Wo";
  layer.mlp->activation = read_activation(config, "hidden_activation", "gelu");
  spec.layers.assign(size_t(read_layer_count(config, "num_hidden_layers")), layer);
  const auto types = read_layer_types(
      config, int64_t(spec.layers.size()),
      [](int64_t i, int64_t every) { return std::string(i % every != 0 ? "sliding_attention" : "full_attention"); },
      config.size("global_attn_every_n_layers", 3));
  set_windows(config, spec, config.size("local_attention", 128) / 2 + 1, types);
  const double far = config.number("global_rope_theta", 160'000), near = config.number("local_rope_theta", 10'000);
  for (auto& each : spec.layers)
    each.attention->rope = read_rope(config, heads.head, {.theta = each.attention->window > 0 ? near : far});
  spec.layers[0].first_norm = false;  // the embedding has just been through one
  const bool head_bias = config.flag("classifier_bias", false);
  spec.head_bias = config.flag("decoder_bias", true);
  spec.head = "decoder";
  const std::string act = read_activation(config, "classifier_activation", "gelu");
  const int64_t labels = read_labels(config), positions = read_positions(config, 8192);
  config.ignore({"layer_types", "classifier_pooling", "sparse_prediction", "num_key_value_heads", "head_dim"});
  PLIM_TRY(config.finish());
  Builder b(request.name, {request.tokens(positions)}, DType::i64);
  ValueId words;
  ValueId x = decode(b, spec, b.input(), words);
  if (request.is_model_alone()) return b.finish(x);
  x = activate(b, "head.act", b.linear("head.dense", x, spec.width, head_bias), act);
  x = norm(b, "head.norm", x, spec.norm);
  if (request.ends_with("ForMaskedLM")) return b.finish(language_head(b, spec, x, words));
  if (request.ends_with("ForTokenClassification") || request.ends_with("ForQuestionAnswering"))
    return b.finish(b.linear("classifier", x, labels));
  return b.finish(b.linear("classifier", first_token(b, x), request.ends_with("ForMultipleChoice") ? 1 : labels));
}

}  // namespace plimsoll
