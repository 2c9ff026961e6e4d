// Swin transformers (Liu 2021) as transformers has them, and their second version (Liu 2022): norms after each half,
// the angle between queries and keys instead of their product, biases computed from distances by a small network.
#include "model/hf/swin.h"

#include <fmt/format.h>

#include <cmath>

#include "model/build/windows.h"
#include "model/hf/vision.h"

namespace plimsoll {
void check_swin(const Config& config, const SwinSpec& spec) {
  bool good = !spec.depths.empty() && spec.depths.size() == spec.heads.size() && spec.depths.size() <= 8 &&
              spec.ratio > 0 && spec.ratio < 1000 && spec.window <= 64;
  for (size_t i = 0; good && i < spec.depths.size(); ++i)
    good =
        spec.depths[i] >= 1 && spec.depths[i] <= 1000 && spec.heads[i] >= 1 && (spec.width << i) % spec.heads[i] == 0;
  if (!good) config.fail("depths, num_heads, embed_dim, mlp_ratio and window_size do not make stages of windows");
}

namespace {

SwinSpec read_swin(const Config& config) {
  VisionSpec image;
  read_image(config, image, 224, 4);
  SwinSpec spec{config.counts("depths", {2, 2, 6, 2}),
                config.counts("num_heads|num_attention_heads", {3, 6, 12, 24}),
                config.size("embed_dim", 96),
                image.image,
                image.patch,
                image.channels,
                config.size("window_size", 7),
                config.number("mlp_ratio", 4),
                config.number("layer_norm_eps", 1e-5),
                config.flag("qkv_bias", true),
                config.flag("use_absolute_embeddings", false),
                ""};
  spec.activation = read_activation(config, "hidden_act", "gelu");
  check_swin(config, spec);
  config.ignore({"encoder_stride", "num_layers", "hidden_size", "path_norm", "out_indices", "out_features",
                 "stage_names", "num_hidden_layers", "pretrained_window_sizes"});
  return spec;
}

// Biases of all distances in a window: their logarithms through two layers, at most 16.
ValueId computed_bias(Builder& b, const Windows& windows, int64_t heads, bool shifted) {
  const int64_t side = 2 * windows.size - 1;
  std::vector<float> places;
  const auto far = [&](int64_t at) {
    const double share = 8.0 * double(at - windows.size + 1) / double(std::max<int64_t>(1, windows.size - 1));
    return float((share < 0 ? -1 : 1) * std::log2(std::abs(share) + 1) / 3);
  };
  for (int64_t i = 0; i < side * side; ++i) {
    places.push_back(far(i / side));
    places.push_back(far(i % side));
  }
  const ValueId table = b.constant("relative_coords_table", float_tensor({side * side, 2}, places));
  const std::string name = "self.continuous_position_bias_mlp";
  ValueId x = b.relu(name + ".1", b.linear(name + ".0", table, 512));
  x = b.linear(name + ".2", x, heads, false);
  x = bias_from_table(b, x, windows, heads);
  x = scaled_by(b, "bias.scale", b.apply("bias.sigmoid", "sigmoid", {x}), 16);
  return shifted && windows.mask.present() ? b.add("bias.mask", x, windows.mask) : x;
}

ValueId by_angle(Builder& b, const std::string& name, ValueId x, int64_t heads, int64_t head) {
  x = b.reshape(name + ".heads", x, {0, 0, heads, head});
  x = b.apply(name + ".unit", "lp_normalization", {x}, {{"axis", int64_t{-1}}, {"p", int64_t{2}}});
  return x;
}

ValueId second_block(Builder& b, const SwinSpec& spec, ValueId x, const Windows& windows, int64_t width, int64_t heads,
                     bool shifted) {
  const NormSpec layer_norm{NormKind::layer, spec.epsilon, ""};
  const int64_t head = width / heads;
  ValueId y;
  {
    const auto scope = b.enter("attention");
    y = into_windows(b, x, windows, width, shifted);
    ValueId q = by_angle(b, "self.query", b.linear("self.query", y, width, spec.bias), heads, head);
    const ValueId k = by_angle(b, "self.key", b.linear("self.key", y, width, false), heads, head);
    const ValueId v = b.linear("self.value", y, width, spec.bias);
    const ValueId learned = b.parameter("self.logit_scale", {heads, 1, 1});
    const ValueId scale = b.reshape("self.scale", b.apply("self.logit_scale.exp", "exp", {learned}), {heads, 1});
    q = b.reshape("self.query.joined", b.apply("self.query.scaled", "mul", {q, scale}), {0, 0, width});
    AttentionSpec attention{.heads = heads, .kv_heads = heads, .head = head, .scale = 1};
    attention.causal = attention.upcast = false;
    attention.single_operations = true;
    y = b.apply_many("attention", "grouped_attention",
                     {q, b.reshape("self.key.joined", k, {0, 0, width}), v, computed_bias(b, windows, heads, shifted)},
                     attention_attributes(attention), 2)[0];
    y = out_of_windows(b, b.linear("output.dense", y, width), windows, width, shifted);
  }
  x = b.add("add_1", x, norm(b, "layernorm_before", y, layer_norm));
  y = b.linear("intermediate.dense", x, int64_t(spec.ratio * double(width)));
  y = b.linear("output.dense", activate(b, "intermediate.act", y, spec.activation), width);
  return b.add("add_2", x, norm(b, "layernorm_after", y, layer_norm));
}

ValueId swin_block(Builder& b, const SwinSpec& spec, ValueId x, const Windows& windows, int64_t width, int64_t heads,
                   bool shifted) {
  const NormSpec layer_norm{NormKind::layer, spec.epsilon, ""};
  if (spec.second) return second_block(b, spec, x, windows, width, heads, shifted);
  ValueId y = norm(b, "layernorm_before", x, layer_norm);
  {
    const auto scope = b.enter("attention");
    y = into_windows(b, y, windows, width, shifted);
    const ValueId bias = window_bias(b, "self.relative_position_bias_table", windows, heads, shifted);
    b.buffer("self.relative_position_index", {windows.tokens(), windows.tokens()});
    AttentionSpec attention{.heads = heads, .kv_heads = heads, .head = width / heads, .bias = spec.bias};
    attention.causal = false;
    attention.single_operations = spec.single_operations;
    attention.output_bias = true;
    attention.q = "self.query";
    attention.k = "self.key";
    attention.v = "self.value";
    attention.o = "output.dense";
    y = out_of_windows(b, attention_block(b, attention, y, y, bias), windows, width, shifted);
  }
  x = b.add("add_1", x, y);
  y = activate(
      b, "intermediate.act",
      b.linear("intermediate.dense", norm(b, "layernorm_after", x, layer_norm), int64_t(spec.ratio * double(width))),
      spec.activation);
  return b.add("add_2", x, b.linear("output.dense", y, width));
}

}  // namespace

ValueId swin_stages(Builder& b, const SwinSpec& spec, ValueId x, const std::string& layers,
                    const std::string& last_norm) {
  ImageSize image{spec.image / spec.patch, spec.image / spec.patch};
  int64_t width = spec.width;
  const NormSpec layer_norm{NormKind::layer, spec.epsilon, ""};
  for (size_t stage = 0; stage < spec.depths.size() && !b.failed(); ++stage) {
    const auto scope = b.enter(fmt::format("{}.{}", layers, stage));
    const Windows windows = windows_of(b, image, spec.window);
    for (int64_t i = 0; i < spec.depths[stage] && !b.failed(); ++i) {
      const auto inner = b.enter(fmt::format("blocks.{}", i));
      x = swin_block(b, spec, x, windows, width, spec.heads[stage], i % 2 == 1);
    }
    if (stage + 1 == spec.depths.size() || b.failed()) continue;
    x = gather_corners(b, x, image);
    if (!spec.second) x = norm(b, "downsample.norm", x, {NormKind::layer, 1e-5, ""});
    x = b.linear("downsample.reduction", x, 2 * width, false);
    if (spec.second) x = norm(b, "downsample.norm", x, {NormKind::layer, 1e-5, ""});
    image = {(image.height + 1) / 2, (image.columns + 1) / 2};
    width *= 2;
  }
  return norm(b, last_norm, x, layer_norm);
}

Result<Graph> build_swin(const Request& request) {
  const Config& config = request.config;
  SwinSpec spec = read_swin(config);
  spec.second = request.architecture.starts_with("Swinv2");
  if (spec.second && spec.absolute)
    config.fail("use_absolute_embeddings is true, which is not supported", "export it as .onnx, which works");
  const int64_t labels = read_labels(config);
  PLIM_TRY(config.finish());
  Builder b(request.name, {spec.channels, spec.image, spec.image});
  ValueId x;
  {
    const auto scope = b.enter(spec.second ? "swinv2" : "swin");
    x = b.conv("embeddings.patch_embeddings.projection", b.input(), spec.width,
               {.kernel = {spec.patch, spec.patch}, .stride = {spec.patch, spec.patch}});
    x = b.layer_norm("embeddings.norm", b.transpose("embeddings.channels_last", x, {0, 2, 3, 1}));
    const int64_t side = spec.image / spec.patch;
    if (spec.absolute)
      x = b.add("embeddings.add_position", x,
                b.parameter("embeddings.position_embeddings", {1, side, side, spec.width}));
    x = swin_stages(b, spec, x, "encoder.layers", "layernorm");
  }
  x = b.apply("pool", "reduce_mean", {x}, {{"axes", Sizes{1, 2}}, {"keepdims", int64_t{0}}});
  if (request.is_model_alone()) return b.finish(x);
  return b.finish(b.linear("classifier", x, labels));
}

}  // namespace plimsoll
