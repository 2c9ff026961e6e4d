// Swin transformers (Liu 2021) as transformers has them.
#include <fmt/format.h>

#include "model/build/windows.h"
#include "model/hf/vision.h"

namespace plimsoll {
namespace {

struct SwinSpec {
  std::vector<int64_t> depths, heads;
  int64_t width, image, patch, channels, window;
  double ratio, epsilon;
  bool bias, absolute;
  std::string activation;
};

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
  bool good = !spec.depths.empty() && spec.depths.size() == spec.heads.size() && spec.depths.size() <= 8 &&
              spec.ratio > 0 && spec.ratio < 1000 && spec.window <= 64;
  for (size_t i = 0; good && i < spec.depths.size(); ++i)
    good =
        spec.depths[i] >= 1 && spec.depths[i] <= 1000 && spec.heads[i] >= 1 && (spec.width << i) % spec.heads[i] == 0;
  if (!good) config.fail("depths, num_heads, embed_dim, mlp_ratio and window_size do not make stages of windows");
  config.ignore({"encoder_stride", "num_layers", "hidden_size", "path_norm", "out_indices", "out_features",
                 "stage_names", "num_hidden_layers"});
  return spec;
}

ValueId swin_block(Builder& b, const SwinSpec& spec, ValueId x, const Windows& windows, int64_t width, int64_t heads,
                   bool shifted) {
  const NormSpec layer_norm{NormKind::layer, spec.epsilon, ""};
  ValueId y = norm(b, "layernorm_before", x, layer_norm);
  {
    const auto scope = b.enter("attention");
    y = into_windows(b, y, windows, width, shifted);
    const ValueId bias = window_bias(b, "self.relative_position_bias_table", windows, heads, shifted);
    b.buffer("self.relative_position_index", {windows.tokens(), windows.tokens()});
    AttentionSpec attention{.heads = heads, .kv_heads = heads, .head = width / heads, .bias = spec.bias};
    attention.causal = false;
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

ValueId stages(Builder& b, const SwinSpec& spec, ValueId x) {
  ImageSize image{spec.image / spec.patch, spec.image / spec.patch};
  int64_t width = spec.width;
  const NormSpec layer_norm{NormKind::layer, spec.epsilon, ""};
  for (size_t stage = 0; stage < spec.depths.size() && !b.failed(); ++stage) {
    const auto scope = b.enter(fmt::format("encoder.layers.{}", stage));
    const Windows windows = windows_of(b, image, spec.window);
    for (int64_t i = 0; i < spec.depths[stage] && !b.failed(); ++i) {
      const auto inner = b.enter(fmt::format("blocks.{}", i));
      x = swin_block(b, spec, x, windows, width, spec.heads[stage], i % 2 == 1);
    }
    if (stage + 1 == spec.depths.size() || b.failed()) continue;
    x = norm(b, "downsample.norm", gather_corners(b, x, image), {NormKind::layer, 1e-5, ""});
    x = b.linear("downsample.reduction", x, 2 * width, false);
    image = {(image.height + 1) / 2, (image.columns + 1) / 2};
    width *= 2;
  }
  x = norm(b, "layernorm", x, layer_norm);
  return x;
}

}  // namespace

Result<Graph> build_swin(const Request& request) {
  const Config& config = request.config;
  const SwinSpec spec = read_swin(config);
  const int64_t labels = read_labels(config);
  PLIM_TRY(config.finish());
  Builder b(request.name, {spec.channels, spec.image, spec.image});
  ValueId x;
  {
    const auto scope = b.enter("swin");
    x = b.conv("embeddings.patch_embeddings.projection", b.input(), spec.width,
               {.kernel = {spec.patch, spec.patch}, .stride = {spec.patch, spec.patch}});
    x = b.layer_norm("embeddings.norm", b.transpose("embeddings.channels_last", x, {0, 2, 3, 1}));
    const int64_t side = spec.image / spec.patch;
    if (spec.absolute)
      x = b.add("embeddings.add_position", x,
                b.parameter("embeddings.position_embeddings", {1, side, side, spec.width}));
    x = stages(b, spec, x);
  }
  x = b.apply("pool", "reduce_mean", {x}, {{"axes", Sizes{1, 2}}, {"keepdims", int64_t{0}}});
  if (request.is_model_alone()) return b.finish(x);
  return b.finish(b.linear("classifier", x, labels));
}

}  // namespace plimsoll
