// Networks of convolutions as transformers has them: ResNet (He 2015) and ConvNeXt (Liu 2022; its second version, Woo
// 2023, compares channels with each other).
#include <fmt/format.h>

#include "model/hf/vision.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargestPicture = 4096;

// A size for each stage.
std::vector<int64_t> stage_sizes(const Config& config, std::string_view key, std::vector<int64_t> fallback,
                                 int64_t most) {
  auto sizes = config.counts(key, std::move(fallback));
  bool good = !sizes.empty() && sizes.size() <= 8;
  for (const int64_t size : sizes) good = good && size >= 1 && size <= most;
  if (good) return sizes;
  config.fail(fmt::format("{} is not a list of up to 8 sizes from 1 to {}", key, most));
  return {1};
}

ValueId channel_mean(Builder& b, ValueId x) { return b.flatten("pooled", b.global_average_pool("pooler", x)); }

struct ResNetSpec {
  std::vector<int64_t> widths, depths;
  int64_t channels, first;
  bool bottleneck, early_steps, steps_in_bottleneck;
  std::string activation;
};

// A convolution without a bias and a batch norm; "": no activation.
ValueId normed_conv(Builder& b, const std::string& name, ValueId x, int64_t kernels, int64_t kernel, int64_t stride,
                    const std::string& activation) {
  const auto scope = b.enter(name);
  x = b.conv(
      "convolution", x, kernels,
      {.kernel = {kernel, kernel}, .stride = {stride, stride}, .padding = {kernel / 2, kernel / 2}, .bias = false});
  x = b.batch_norm("normalization", x);
  return activation.empty() ? x : activate(b, "activation", x, activation);
}

ValueId resnet_layer(Builder& b, const ResNetSpec& spec, ValueId x, int64_t width, int64_t stride) {
  ValueId short_cut = x;
  if (b.failed()) return x;
  if (b.channels(x) != width || stride != 1) short_cut = normed_conv(b, "shortcut", x, width, 1, stride, "");
  const auto scope = b.enter("layer");
  if (spec.bottleneck) {
    const int64_t narrow = std::max<int64_t>(1, width / 4);
    x = normed_conv(b, "0", x, narrow, 1, spec.steps_in_bottleneck ? stride : 1, spec.activation);
    x = normed_conv(b, "1", x, narrow, 3, spec.steps_in_bottleneck ? 1 : stride, spec.activation);
    x = normed_conv(b, "2", x, width, 1, 1, "");
  } else {
    x = normed_conv(b, "0", x, width, 3, stride, spec.activation);
    x = normed_conv(b, "1", x, width, 3, 1, "");
  }
  return activate(b, "activation", b.add("add", x, short_cut), spec.activation);
}

ValueId resnet_stages(Builder& b, const ResNetSpec& spec, ValueId x) {
  x = normed_conv(b, "embedder.embedder", x, spec.first, 7, 2, spec.activation);
  x = b.max_pool("embedder.pooler", x, {.kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}});
  for (size_t stage = 0; stage < spec.depths.size() && !b.failed(); ++stage)
    for (int64_t i = 0; i < spec.depths[stage] && !b.failed(); ++i) {
      const auto scope = b.enter(fmt::format("encoder.stages.{}.layers.{}", stage, i));
      const bool steps = i == 0 && (stage > 0 || spec.early_steps);
      x = resnet_layer(b, spec, x, spec.widths[stage], steps ? 2 : 1);
    }
  return x;
}

}  // namespace

Result<Graph> build_hf_resnet(const Request& request) {
  const Config& config = request.config;
  ResNetSpec spec{stage_sizes(config, "hidden_sizes", {256, 512, 1024, 2048}, 1 << 20),
                  stage_sizes(config, "depths", {3, 4, 6, 3}, 1000),
                  config.size("num_channels", 3),
                  config.size("embedding_size", 64),
                  config.text("layer_type", "bottleneck") == "bottleneck",
                  config.flag("downsample_in_first_stage", false),
                  config.flag("downsample_in_bottleneck", false),
                  read_activation(config, "hidden_act", "relu")};
  if (spec.widths.size() != spec.depths.size()) config.fail("hidden_sizes and depths are not of the same length");
  const std::string type = config.text("layer_type", "bottleneck");
  if (type != "bottleneck" && type != "basic") config.fail("layer_type is neither bottleneck nor basic");
  const int64_t labels = read_labels(config), image = config.side("image_size", 224);
  if (image > kLargestPicture) config.fail("image_size is above 4096");
  PLIM_TRY(config.finish());
  Builder b(request.name, {spec.channels, image, image});
  ValueId x;
  {
    const auto scope = b.enter(request.is_model_alone() ? "" : "resnet");
    x = channel_mean(b, resnet_stages(b, spec, b.input()));
  }
  return b.finish(request.is_model_alone() ? x : b.linear("classifier.1", x, labels));
}

namespace {

struct ConvNextSpec {
  std::vector<int64_t> widths, depths;
  int64_t channels, image, patch;
  double epsilon, layer_scale;
  bool compares;  // the second version
  std::string activation;
};

ValueId norm_channels(Builder& b, const std::string& name, ValueId x, double epsilon) {
  x = norm(b, name, b.transpose(name + ".last", x, {0, 2, 3, 1}), {NormKind::layer, epsilon, ""});
  return b.transpose(name + ".first", x, {0, 3, 1, 2});
}

// Each channel weighed by how strong it is beside the others.
ValueId compared(Builder& b, ValueId x) {
  if (b.failed()) return x;
  const auto scope = b.enter("grn");
  const int64_t width = b.shape(x)[3];
  const ValueId strength = b.apply("strength", "reduce_l2", {x}, {{"axes", Sizes{1, 2}}, {"keepdims", int64_t{1}}});
  const ValueId mean = b.apply("mean", "reduce_mean", {strength}, {{"axes", Sizes{3}}, {"keepdims", int64_t{1}}});
  const ValueId safe = b.add("safe", mean, b.constant("epsilon", float_tensor({}, {1e-6F})));
  const ValueId share = b.apply("share", "div", {strength, safe});
  const ValueId weighed =
      b.apply("weighed", "mul", {b.parameter("weight", {1, 1, 1, width}), b.apply("times", "mul", {x, share})});
  return b.add("sum", b.add("biased", weighed, b.parameter("bias", {1, 1, 1, width})), x);
}

ValueId convnext_layer(Builder& b, const ConvNextSpec& spec, ValueId x, int64_t width) {
  ValueId y = b.conv("dwconv", x, width, {.kernel = {7, 7}, .padding = {3, 3}, .groups = width});
  y = norm(b, "layernorm", b.transpose("channels_last", y, {0, 2, 3, 1}), {NormKind::layer, 1e-6, ""});
  y = activate(b, "act", b.linear("pwconv1", y, 4 * width), spec.activation);
  if (spec.compares) y = compared(b, y);
  y = b.linear("pwconv2", y, width);
  if (!spec.compares && spec.layer_scale > 0)
    y = b.apply("layer_scale", "mul", {y, b.parameter("layer_scale_parameter", {width})});
  return b.add("add", x, b.transpose("channels_first", y, {0, 3, 1, 2}));
}

ValueId convnext_stages(Builder& b, const ConvNextSpec& spec, ValueId x) {
  x = b.conv("embeddings.patch_embeddings", x, spec.widths[0],
             {.kernel = {spec.patch, spec.patch}, .stride = {spec.patch, spec.patch}});
  x = norm_channels(b, "embeddings.layernorm", x, 1e-6);
  for (size_t stage = 0; stage < spec.depths.size() && !b.failed(); ++stage) {
    const auto scope = b.enter(fmt::format("encoder.stages.{}", stage));
    if (stage > 0) {
      x = norm_channels(b, "downsampling_layer.0", x, 1e-6);
      x = b.conv("downsampling_layer.1", x, spec.widths[stage], {.kernel = {2, 2}, .stride = {2, 2}});
    }
    for (int64_t i = 0; i < spec.depths[stage] && !b.failed(); ++i) {
      const auto inner = b.enter(fmt::format("layers.{}", i));
      x = convnext_layer(b, spec, x, spec.widths[stage]);
    }
  }
  return norm(b, "layernorm", channel_mean(b, x), {NormKind::layer, spec.epsilon, ""});
}

}  // namespace

Result<Graph> build_convnext(const Request& request) {
  const Config& config = request.config;
  const bool second = request.architecture.starts_with("ConvNextV2");
  ConvNextSpec spec{stage_sizes(config, "hidden_sizes", {96, 192, 384, 768}, 1 << 20),
                    stage_sizes(config, "depths", {3, 3, 9, 3}, 1000),
                    config.size("num_channels", 3),
                    config.side("image_size", 224),
                    config.size("patch_size", 4),
                    config.number("layer_norm_eps", 1e-12),
                    config.number("layer_scale_init_value", 1e-6),
                    second,
                    read_activation(config, "hidden_act", "gelu")};
  if (spec.widths.size() != spec.depths.size()) config.fail("hidden_sizes and depths are not of the same length");
  if (spec.image > kLargestPicture || spec.patch > spec.image)
    config.fail("image_size and patch_size do not make patches of a picture of up to 4096");
  if (config.size("num_stages", int64_t(spec.depths.size())) != int64_t(spec.depths.size()))
    config.fail("num_stages is not the length of depths");
  const int64_t labels = read_labels(config);
  PLIM_TRY(config.finish());
  Builder b(request.name, {spec.channels, spec.image, spec.image});
  ValueId x;
  {
    const auto scope = b.enter(request.is_model_alone() ? "" : second ? "convnextv2" : "convnext");
    x = convnext_stages(b, spec, b.input());
  }
  return b.finish(request.is_model_alone() ? x : b.linear("classifier", x, labels));
}

}  // namespace plimsoll
