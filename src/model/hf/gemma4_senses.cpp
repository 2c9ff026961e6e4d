#include <fmt/format.h>

#include "model/hf/gemma4.h"

namespace plimsoll {
namespace {

constexpr int64_t kPatches = 48;   // of a side
constexpr int64_t kFrames = 1000;  // ten seconds

// A norm without parameters and a product: how pictures and sounds enter the text.
ValueId embedded(Builder& b, const std::string& scope_name, ValueId x, int64_t width, double epsilon) {
  const auto scope = b.enter(scope_name);
  x = norm(b, "embedding_pre_projection_norm", x, {NormKind::rms_without_parameters, epsilon, "llama"});
  return b.linear("embedding_projection", x, width, false);
}

class Conformer {
 public:
  Conformer(Builder& b, const Gemma4Audio& spec) : b_(b), spec_(spec) {}

  ValueId layer(ValueId x) {
    x = feed_forward("feed_forward1", x);
    x = b_.add("add_attention", x, normed("norm_post_attn", attention(normed("norm_pre_attn", x))));
    x = convolution(x);
    x = feed_forward("feed_forward2", x);
    return normed("norm_out", x);
  }

 private:
  ValueId normed(const std::string& name, ValueId x) {
    return norm(b_, name, x, {NormKind::rms, spec_.epsilon, "llama"});
  }

  ValueId feed_forward(const std::string& name, ValueId x) {
    const auto scope = b_.enter(name);
    ValueId y = b_.linear("ffw_layer_1", normed("pre_layer_norm", x), 4 * spec_.width, false);
    y = b_.linear("ffw_layer_2", activate(b_, "act", y, spec_.activation), spec_.width, false);
    return b_.add("add", x, scaled_by(b_, "half", normed("post_layer_norm", y), spec_.residual));
  }

  // Local, with relative positions: the table of distances is projected once and scored beside the keys.
  ValueId attention(ValueId x) {
    if (b_.failed()) return x;
    const auto scope = b_.enter("self_attn");
    const int64_t head = spec_.width / spec_.heads, span = spec_.before + spec_.after;
    ValueId q = b_.linear("q_proj", x, spec_.width, false);
    const ValueId each = b_.apply("per_dim_scale.softplus", "softplus", {b_.parameter("per_dim_scale", {head})});
    q = b_.apply("scaled", "mul", {b_.reshape("q_heads", q, {0, 0, spec_.heads, head}), each});
    q = b_.reshape("q_joined", q, {0, 0, spec_.width});
    const ValueId k = b_.linear("k_proj", x, spec_.width, false), v = b_.linear("v_proj", x, spec_.width, false);
    const ValueId distances =
        b_.constant("distances", float_tensor({span, spec_.width}, std::vector<float>(size_t(span * spec_.width), 1)));
    b_.linear("relative_k_proj", distances, spec_.width, false);
    AttentionSpec attention{.heads = spec_.heads, .kv_heads = spec_.heads, .head = head};
    attention.causal = false;
    attention.window = spec_.before;
    const ValueId y = b_.apply_many("attention", "grouped_attention", {q, k, v}, attention_attributes(attention), 2)[0];
    return b_.linear("post", y, spec_.width, false);
  }

  ValueId convolution(ValueId x) {
    if (b_.failed()) return x;
    const auto scope = b_.enter("lconv1d");
    const auto halves =
        split_last(b_, "glu_split", b_.linear("linear_start", normed("pre_layer_norm", x), 2 * spec_.width, false),
                   {spec_.width, spec_.width});
    ValueId y = b_.apply("glu", "mul", {halves[0], b_.apply("glu_gate", "sigmoid", {halves[1]})});
    y = b_.transpose("channels_first", y, {0, 2, 1});
    y = b_.apply("depthwise_conv1d", "conv",
                 {y, b_.parameter("depthwise_conv1d.weight", {spec_.width, 1, spec_.kernel})},
                 {{"kernel_shape", Sizes{spec_.kernel}}, {"pads", Sizes{spec_.kernel - 1, 0}}, {"group", spec_.width}});
    y = normed("conv_norm", b_.transpose("channels_last", y, {0, 2, 1}));
    return b_.add("add", x, b_.linear("linear_end", activate(b_, "act", y, spec_.activation), spec_.width, false));
  }

  Builder& b_;
  const Gemma4Audio& spec_;
};

ValueId halved(Builder& b, const std::string& name, ValueId x, int64_t channels, double epsilon) {
  x = b.conv(name + ".conv", x, channels, {.kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}, .bias = false});
  x = b.transpose(name + ".channels_last", x, {0, 2, 3, 1});
  x = norm(b, name + ".norm", x, {NormKind::layer_without_bias, epsilon, ""});
  return b.relu(name + ".act", b.transpose(name + ".channels_first", x, {0, 3, 1, 2}));
}

}  // namespace

Gemma4Vision read_gemma4_vision(const Config& config) {
  Gemma4Vision spec;
  const int64_t width = config.size("hidden_size", 768), heads = config.size("num_attention_heads", 12),
                kv = config.size("num_key_value_heads", 12), head = config.size("head_dim", 64);
  spec.encoder.width = width;
  spec.encoder.root = "";
  spec.encoder.block = BlockForm::sandwich;
  spec.encoder.norm = {NormKind::rms, config.number("rms_norm_eps", 1e-6), "llama"};
  spec.encoder.layers_name = "encoder.layers";
  spec.encoder.final_norm = false;
  LayerSpec layer;
  layer.attention = AttentionSpec{.heads = heads, .kv_heads = kv, .head = head};
  layer.attention->causal = false;
  layer.attention->scale = 1;
  layer.attention->qk_norm = QkNorm::each_head;
  layer.attention->head_norm = spec.encoder.norm;
  layer.attention->value_norm = true;
  layer.attention->rope = axial_rope(config, head);
  layer.mlp = FeedForwardSpec{.width = config.size("intermediate_size", 3072)};
  layer.mlp->activation = read_activation(config, "hidden_activation", "gelu_pytorch_tanh");
  if (heads % kv != 0) config.fail("num_key_value_heads does not divide num_attention_heads of vision_config");
  spec.encoder.layers.assign(size_t(read_layer_count(config, "num_hidden_layers", 16)), layer);
  spec.patch = config.size("patch_size", 16);
  spec.pooling = config.size("pooling_kernel_size", 3);
  spec.rows = config.size("position_embedding_size", 10'240);
  if (kPatches % spec.pooling != 0)
    config.fail(fmt::format("pooling_kernel_size is {}, which does not divide {} patches", spec.pooling, kPatches));
  config.ignore({"max_position_embeddings", "attention_bias", "rope_parameters", "use_clipped_linears", "standardize",
                 "default_output_length", "global_head_dim", "layer_types"});
  return spec;
}

ValueId look_gemma4(Builder& b, const Gemma4Vision& spec, int64_t width) {
  const ValueId patches = b.add_input("pixel_values", {kPatches * kPatches, 3 * spec.patch * spec.patch});
  ValueId x;
  {
    const auto scope = b.enter("vision_tower");
    x = b.linear("patch_embedder.input_proj", patches, spec.encoder.width, false);
    if (b.failed()) return x;
    std::vector<int64_t> rows, columns;
    for (int64_t i = 0; i < kPatches * kPatches; ++i) {
      rows.push_back(i / kPatches % spec.rows);
      columns.push_back(i % kPatches % spec.rows);
    }
    const ValueId table = b.parameter("patch_embedder.position_embedding_table", {2, spec.rows, spec.encoder.width});
    const auto along = [&](const char* name, int64_t axis, const std::vector<int64_t>& places) {
      const ValueId one =
          b.apply(fmt::format("{}.table", name), "gather",
                  {table, b.constant(fmt::format("{}.axis", name), integer_scalar(axis))}, {{"axis", int64_t{0}}});
      return b.apply(name, "gather", {one, b.constant(fmt::format("{}.places", name), integer_tensor(places))},
                     {{"axis", int64_t{0}}});
    };
    x = b.add("add_rows", x, along("rows", 0, rows));
    x = b.add("add_columns", x, along("columns", 1, columns));
    x = decode_embedded(b, spec.encoder, x);
    x = average_patches(b, x, kPatches, spec.pooling);
  }
  return embedded(b, "embed_vision", x, width, spec.encoder.norm.epsilon);
}

Gemma4Audio read_gemma4_audio(const Config& config) {
  Gemma4Audio spec;
  spec.width = config.size("hidden_size", 1024);
  spec.layers = read_layer_count(config, "num_hidden_layers", 12);
  spec.heads = config.size("num_attention_heads", 8);
  spec.kernel = config.size("conv_kernel_size", 5);
  spec.output = config.size("output_proj_dims", 1536);
  spec.before = config.size("attention_context_left", 13);
  spec.after = config.count("attention_context_right", 0);
  spec.chunk = config.size("attention_chunk_size", 12);
  spec.channels = config.counts("subsampling_conv_channels", {128, 32});
  spec.activation = read_activation(config, "hidden_act", "silu");
  spec.epsilon = config.number("rms_norm_eps", 1e-6);
  spec.residual = config.number("residual_weight", 0.5);
  if (spec.channels.size() != 2 || spec.channels[0] < 4 || spec.channels[1] < 1 || spec.width % spec.heads != 0)
    config.fail(
        "subsampling_conv_channels are not two sizes, or num_attention_heads does not divide hidden_size of "
        "audio_config");
  if (config.failed()) spec.channels = {128, 32};
  config.ignore({"use_clipped_linears", "gradient_clipping"});
  return spec;
}

ValueId listen_gemma4(Builder& b, const Gemma4Audio& spec, int64_t width) {
  const int64_t bins = spec.channels[0] / 4 * 4;
  const ValueId sound = b.add_input("input_features", {1, kFrames, bins});
  ValueId x;
  {
    const auto scope = b.enter("audio_tower");
    x = halved(b, "subsample_conv_projection.layer0", sound, spec.channels[0], spec.epsilon);
    x = halved(b, "subsample_conv_projection.layer1", x, spec.channels[1], spec.epsilon);
    x = b.reshape("frames", b.transpose("frames_first", x, {0, 2, 3, 1}),
                  {0, kFrames / 4, bins / 4 * spec.channels[1]});
    x = b.linear("subsample_conv_projection.input_proj_linear", x, spec.width, false);
    for (int64_t i = 0; i < spec.layers && !b.failed(); ++i) {
      const auto layer = b.enter(fmt::format("layers.{}", i));
      x = Conformer(b, spec).layer(x);
    }
    x = b.linear("output_proj", x, spec.output);
  }
  return embedded(b, "embed_audio", x, width, spec.epsilon);
}

}  // namespace plimsoll
