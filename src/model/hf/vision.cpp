#include "model/hf/vision.h"

#include <fmt/format.h>

#include <cmath>

namespace plimsoll {
namespace {

// A learned token, repeated to the batch, a number that bind knows.
ValueId tokens_for_batch(Builder& b, const std::string& name, int64_t tokens, ValueId x, int64_t width) {
  const ValueId learned = b.parameter(name, {1, tokens, width});
  const ValueId batch = b.apply(name + ".batch", "shape", {x}, {{"start", int64_t{0}}, {"end", int64_t{1}}});
  const ValueId rest = b.constant(name + ".rest", integer_tensor({tokens, width}));
  return b.apply(name + ".expand", "expand", {learned, b.concat(name + ".shape", {batch, rest}, 0)});
}

ValueId add_registers(Builder& b, const VisionSpec& spec, ValueId x) {
  if (spec.registers == 0 || b.failed()) return x;
  const auto first = int64_t(spec.tokens.size()), rest = b.shape(x)[1] - first;
  const auto parts =
      b.apply_many("tokens_apart", "split", {x, b.constant("tokens_apart.sizes", integer_tensor({first, rest}))},
                   {{"axis", int64_t{1}}}, 2);
  const ValueId registers = tokens_for_batch(b, "register_tokens", spec.registers, x, spec.encoder.width);
  return b.concat("with_registers", {parts[0], registers, parts[1]});
}

}  // namespace

ValueId learned_token(Builder& b, const std::string& name, ValueId x) {
  return b.failed() ? x : tokens_for_batch(b, name, 1, x, b.shape(x)[2]);
}

DecoderSpec vision_layers(const Config& config, int64_t width, int64_t layers, int64_t heads, int64_t inner,
                          double epsilon) {
  if (width % heads != 0)
    config.fail(fmt::format("num_attention_heads is {}, which does not divide hidden_size {}", heads, width));
  DecoderSpec spec;
  spec.width = width;
  spec.root = "";
  spec.norm = {NormKind::layer, epsilon, ""};
  spec.norm_names = {"layer_norm1", "layer_norm2"};
  spec.final_norm = false;
  LayerSpec layer;
  layer.attention =
      AttentionSpec{.heads = heads, .kv_heads = heads, .head = std::max<int64_t>(1, width / heads), .bias = true};
  layer.attention->causal = false;
  layer.attention->o = "out_proj";
  layer.mlp = FeedForwardSpec{.width = inner, .gated = false, .bias = true, .up = "fc1", .down = "fc2"};
  spec.layers.assign(size_t(layers), layer);
  return spec;
}

void read_image(const Config& config, VisionSpec& spec, int64_t image, int64_t patch) {
  spec.image = config.side("image_size", image);
  spec.patch = config.side("patch_size", patch);
  spec.channels = config.size("num_channels", 3);
  if (spec.patch > spec.image || spec.image > 16'384)
    config.fail(fmt::format("image_size is {} and patch_size {}, expected patches inside a picture of up to 16384",
                            spec.image, spec.patch));
}

ValueId embed_patches(Builder& b, const VisionSpec& spec, ValueId picture) {
  const int64_t width = spec.encoder.width;
  ValueId x = b.conv(spec.patches, picture, width,
                     {.kernel = {spec.patch, spec.patch}, .stride = {spec.patch, spec.patch}, .bias = spec.patch_bias});
  x = b.transpose(spec.patches + ".tokens", b.reshape(spec.patches + ".flat", x, {0, width, -1}), {0, 2, 1});
  if (b.failed()) return x;
  std::vector<ValueId> parts;
  for (const auto& name : spec.tokens) parts.push_back(tokens_for_batch(b, name, 1, x, width));
  parts.push_back(x);
  for (const auto& name : spec.unread) b.parameter(name, {1, 1, width});
  if (parts.size() > 1) x = b.concat("tokens", parts);
  if (!spec.positions.empty())
    x = b.add("add_position", x,
              b.parameter(spec.positions, {1, spec.patch_count() + int64_t(spec.tokens.size()), width}));
  return add_registers(b, spec, x);
}

std::shared_ptr<const RopeSpec> axial_rope(const Config& config, int64_t head) {
  RopeSpec rope;
  if (!is_sound_head(config, head)) head = 2;
  const int64_t pairs = std::max<int64_t>(1, head / 2), axis = std::max<int64_t>(1, pairs / 2);
  if (head % 2 != 0) rope.turned = 2 * pairs;
  for (int64_t i = 0; i < pairs; ++i) rope.frequencies.push_back(std::pow(10'000.0, -double(i % axis) / double(axis)));
  return std::make_shared<const RopeSpec>(std::move(rope));
}

ValueId average_patches(Builder& b, ValueId x, int64_t side, int64_t kernel) {
  if (b.failed()) return x;
  const int64_t width = b.shape(x)[2];
  x = b.reshape("patches_square", b.transpose("patches_last", x, {0, 2, 1}), {0, width, side, side});
  x = b.average_pool("avg_pool", x, {.kernel = {kernel, kernel}});
  return b.transpose("pooled_tokens", b.reshape("pooled_flat", x, {0, width, -1}), {0, 2, 1});
}

ValueId without_first_tokens(Builder& b, const std::string& name, ValueId x, int64_t tokens) {
  if (b.failed()) return x;
  return b.apply_many(name, "split", {x, b.constant(name + ".sizes", integer_tensor({tokens, b.shape(x)[1] - tokens}))},
                      {{"axis", int64_t{1}}}, 2)[1];
}

ValueId take_token(Builder& b, const std::string& name, ValueId x, int64_t token) {
  return b.apply(name, "gather", {x, b.constant(name + ".index", integer_scalar(token))}, {{"axis", int64_t{1}}});
}

}  // namespace plimsoll
