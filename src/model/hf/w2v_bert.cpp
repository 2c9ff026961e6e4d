// w2v-BERT 2.0 (Barrault 2023): a conformer over filter banks. Each layer has half a feed-forward block on either side
// of attention and a convolution. A sample is five seconds, 50 frames each.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/hf/request.h"

namespace plimsoll {
namespace {

constexpr int64_t kSpeechFrames = 250;

struct ConformerSpec {
  int64_t width, layers, heads, inner, bands, left, right, kernel;
  std::string activation;
  NormSpec norm;
  bool near;  // scores know how far apart two frames are
  bool masks;
};

class Conformer {
 public:
  Conformer(Builder& b, const ConformerSpec& spec) : b_(b), spec_(spec) {}

  ValueId layer(ValueId x) {
    x = b_.add("add_ffn1", x, half("ffn1", x));
    const ValueId seen = norm(b_, "self_attn_layer_norm", x, spec_.norm);
    x = b_.add("add_attn", x, attention(seen));
    x = b_.add("add_conv", x, convolution(x));
    x = b_.add("add_ffn2", x, half("ffn2", x));
    return norm(b_, "final_layer_norm", x, spec_.norm);
  }

 private:
  ValueId half(const std::string& name, ValueId x) {
    x = norm(b_, name + "_layer_norm", x, spec_.norm);
    x = activate(b_, name + ".act", b_.linear(name + ".intermediate_dense", x, spec_.inner), spec_.activation);
    return scaled_by(b_, name + ".half", b_.linear(name + ".output_dense", x, spec_.width), 0.5);
  }

  ValueId attention(ValueId x) {
    if (b_.failed()) return x;
    const auto scope = b_.enter("self_attn");
    const int64_t head = spec_.width / spec_.heads;
    const ValueId q = b_.linear("linear_q", x, spec_.width), k = b_.linear("linear_k", x, spec_.width),
                  v = b_.linear("linear_v", x, spec_.width);
    AttentionSpec attention{.heads = spec_.heads, .kv_heads = spec_.heads, .head = head};
    attention.causal = attention.upcast = false;
    std::vector<ValueId> inputs{q, k, v};
    if (spec_.near) inputs.push_back(distances(q, head));
    x = b_.apply_many("attention", "grouped_attention", std::move(inputs), attention_attributes(attention), 2)[0];
    return b_.linear("linear_out", x, spec_.width);
  }

  // Each query's product with the row of the distance to each key.
  ValueId distances(ValueId q, int64_t head) {
    if (b_.failed()) return q;
    const int64_t length = b_.shape(q)[1], rows = spec_.left + spec_.right + 1;
    std::vector<int64_t> index;
    for (int64_t i = 0; i < length; ++i)
      for (int64_t j = 0; j < length; ++j) index.push_back(std::clamp(j - i, -spec_.left, spec_.right) + spec_.left);
    const ValueId table = b_.parameter("distance_embedding.weight", {rows, head});
    const ValueId taken =
        b_.apply("distance_embedding", "gather", {table, b_.constant("distance_embedding.rows", integer_tensor(index))},
                 {{"axis", int64_t{0}}});
    const ValueId far = b_.transpose("far.turned", b_.reshape("far", taken, {length, length, head}), {0, 2, 1});
    const ValueId heads = b_.reshape("near.heads", q, {0, 0, spec_.heads, head});
    const ValueId by_frame =
        b_.reshape("near.rows", b_.transpose("near.by_frame", heads, {1, 0, 2, 3}), {length, -1, head});
    const ValueId scores = b_.apply("near", "matmul", {by_frame, far});
    const ValueId square = b_.reshape("near.square", scores, {length, -1, spec_.heads, length});
    return scaled_by(b_, "near.scale", b_.transpose("near.bias", square, {1, 2, 0, 3}), 1 / std::sqrt(double(head)));
  }

  ValueId convolution(ValueId x) {
    if (b_.failed()) return x;
    const auto scope = b_.enter("conv_module");
    x = b_.transpose("channels_first", norm(b_, "layer_norm", x, spec_.norm), {0, 2, 1});
    x = b_.conv("pointwise_conv1", x, 2 * spec_.width, {.kernel = {1}, .bias = false});
    if (b_.failed()) return x;
    const auto halves =
        b_.apply_many("glu.split", "split", {x, b_.constant("glu.sizes", integer_tensor({spec_.width, spec_.width}))},
                      {{"axis", int64_t{1}}}, 2);
    x = b_.apply("glu", "mul", {halves[0], b_.apply("glu.gate", "sigmoid", {halves[1]})});
    // It sees only what came before.
    x = b_.apply("pad", "pad", {x, b_.constant("pad.sizes", integer_tensor({0, 0, spec_.kernel - 1, 0, 0, 0}))});
    x = b_.conv("depthwise_conv", x, spec_.width, {.kernel = {spec_.kernel}, .groups = spec_.width, .bias = false});
    x = norm(b_, "depthwise_layer_norm", b_.transpose("channels_last", x, {0, 2, 1}), spec_.norm);
    x = b_.transpose("channels_first_again", activate(b_, "act", x, spec_.activation), {0, 2, 1});
    x = b_.conv("pointwise_conv2", x, spec_.width, {.kernel = {1}, .bias = false});
    return b_.transpose("channels_last_again", x, {0, 2, 1});
  }

  Builder& b_;
  const ConformerSpec& spec_;
};

ConformerSpec read_conformer(const Config& config) {
  ConformerSpec spec{config.size("hidden_size", 1024),
                     read_layer_count(config, "num_hidden_layers", 24),
                     config.size("num_attention_heads", 16),
                     config.size("intermediate_size", 4096),
                     config.size("feature_projection_input_dim", 160),
                     config.size("left_max_position_embeddings", 64),
                     config.size("right_max_position_embeddings", 8),
                     config.size("conv_depthwise_kernel_size", 31),
                     read_activation(config, "hidden_act", "swish"),
                     {NormKind::layer, config.number("layer_norm_eps", 1e-5), ""},
                     !config.is_null("position_embeddings_type"),
                     config.number("mask_time_prob", 0.05) > 0 || config.number("mask_feature_prob", 0) > 0};
  if (spec.width % spec.heads != 0) config.fail("num_attention_heads does not divide hidden_size");
  if (spec.left > 1 << 16 || spec.right > 1 << 16 || spec.kernel > 4096)
    config.fail(
        "left_max_position_embeddings, right_max_position_embeddings or conv_depthwise_kernel_size is too large");
  if (spec.near && config.text("position_embeddings_type", "relative_key") != "relative_key")
    config.fail("position_embeddings_type is not relative_key, the only one that is supported");
  for (const auto* flag : {"add_adapter", "use_intermediate_ffn_before_adapter", "use_weighted_layer_sum"})
    if (config.flag(flag, false)) config.fail(fmt::format("{} is true, which is not supported", flag));
  config.ignore({"adapter_kernel_size", "adapter_stride", "num_adapter_layers", "adapter_act", "output_hidden_size",
                 "max_source_positions", "rotary_embedding_base", "tdnn_dim", "tdnn_kernel", "tdnn_dilation",
                 "xvector_output_dim", "codevector_dim", "num_codevector_groups", "num_codevectors_per_group",
                 "num_negatives", "proj_codevector_dim", "conformer_conv_dropout", "num_ctc_classes"});
  return spec;
}

}  // namespace

Result<Graph> build_w2v_bert(const Request& request) {
  const Config& config = request.config;
  const ConformerSpec spec = read_conformer(config);
  const int64_t letters = config.has("vocab_size") ? config.size("vocab_size") : 32, labels = read_labels(config),
                projected = config.size("classifier_proj_size", 768);
  PLIM_TRY(config.finish());
  Builder b(request.name, {kSpeechFrames, spec.bands});
  ValueId x;
  {
    const auto scope = b.enter(request.is_model_alone() ? "" : "wav2vec2_bert");
    x = norm(b, "feature_projection.layer_norm", b.input(), spec.norm);
    x = b.linear("feature_projection.projection", x, spec.width);
    if (spec.masks) b.parameter("masked_spec_embed", {spec.width});
    Conformer layers(b, spec);
    for (int64_t i = 0; i < spec.layers && !b.failed(); ++i) {
      const auto inside = b.enter(fmt::format("encoder.layers.{}", i));
      x = layers.layer(x);
    }
  }
  if (request.is_model_alone()) return b.finish(x);
  if (request.ends_with("ForCTC")) return b.finish(b.linear("lm_head", x, letters));
  x = b.linear("projector", x, projected);
  x = b.apply("mean", "reduce_mean", {x}, {{"axes", Sizes{1}}, {"keepdims", int64_t{0}}});
  return b.finish(b.linear("classifier", x, labels));
}

}  // namespace plimsoll
