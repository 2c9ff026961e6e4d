// The autoencoder of Stable Diffusion (Rombach 2022): a picture to a few channels at an eighth of its size, and back.
#include <fmt/format.h>

#include "base/text.h"
#include "model/hf/diffusion.h"

namespace plimsoll {
namespace {

struct VaeSpec {
  std::vector<int64_t> channels;
  int64_t in, out, latent, layers, groups, sample;
  bool attention, quant, post_quant;
};

void check_blocks(const Config& config, std::string_view key, std::string_view expected, size_t blocks) {
  const auto names = config.words(key);
  for (const auto& name : names)
    if (name != expected)
      config.fail(fmt::format("{} has {}, expected {}", key, in_quotes(name), expected),
                  "export it as .onnx, which works");
  if (!names.empty() && names.size() != blocks)
    config.fail(fmt::format("{} has {} names, expected one for each of {} blocks", key, names.size(), blocks));
}

VaeSpec read_vae(const Config& config) {
  VaeSpec spec{config.counts("block_out_channels", {64}),
               config.size("in_channels", 3),
               config.size("out_channels", 3),
               config.size("latent_channels", 4),
               config.size("layers_per_block", 1),
               config.size("norm_num_groups", 32),
               config.size("sample_size", 32),
               config.flag("mid_block_add_attention", true),
               config.flag("use_quant_conv", true),
               config.flag("use_post_quant_conv", true)};
  check_blocks(config, "down_block_types", "DownEncoderBlock2D", spec.channels.size());
  check_blocks(config, "up_block_types", "UpDecoderBlock2D", spec.channels.size());
  bool good = !spec.channels.empty() && spec.channels.size() <= 16 && spec.layers <= 100 && spec.sample <= 16'384;
  for (const int64_t channels : spec.channels) good = good && channels > 0 && channels % spec.groups == 0;
  if (!good || spec.sample % (int64_t{1} << (std::min<size_t>(spec.channels.size(), 16) - 1)) != 0)
    config.fail("block_out_channels, layers_per_block, norm_num_groups and sample_size do not make an autoencoder");
  if (config.text("act_fn", "silu") != "silu") config.fail("act_fn is not silu, the only one that is supported");
  config.ignore({"down_block_types", "up_block_types", "scaling_factor", "shift_factor", "force_upcast"});
  return spec;
}

ValueId resnet(Builder& b, const std::string& name, ValueId x, int64_t channels, const VaeSpec& spec) {
  const auto scope = b.enter(name);
  return residual_block(b, x, channels, {.groups = spec.groups});
}

// Each pixel looks at all others.
ValueId attend(Builder& b, ValueId x, const VaeSpec& spec) {
  const auto scope = b.enter("attentions.0");
  if (b.failed()) return x;
  const int64_t channels = b.shape(x)[1], side = b.shape(x)[2];
  ValueId y = b.transpose(
      "tokens", b.reshape("flat", group_norm(b, "group_norm", x, spec.groups, 1e-6), {0, channels, -1}), {0, 2, 1});
  AttentionSpec attention{.heads = 1, .kv_heads = 1, .head = channels, .bias = true, .causal = false, .upcast = false};
  attention.q = "to_q";
  attention.k = "to_k";
  attention.v = "to_v";
  attention.o = "to_out.0";
  y = attention_block(b, attention, y, y);
  return b.add("add", x, b.reshape("picture", b.transpose("channels_first", y, {0, 2, 1}), {0, channels, side, side}));
}

ValueId middle(Builder& b, ValueId x, const VaeSpec& spec) {
  const auto scope = b.enter("mid_block");
  const int64_t channels = spec.channels.back();
  x = resnet(b, "resnets.0", x, channels, spec);
  if (spec.attention) x = attend(b, x, spec);
  return resnet(b, "resnets.1", x, channels, spec);
}

ValueId ending(Builder& b, ValueId x, int64_t channels, const VaeSpec& spec) {
  x = b.apply("conv_act", "silu", {group_norm(b, "conv_norm_out", x, spec.groups, 1e-6)});
  return b.conv("conv_out", x, channels, {.kernel = {3, 3}, .padding = {1, 1}});
}

// Half the size: one row and one column of nothing come after the last, none before the first.
ValueId halved(Builder& b, ValueId x, int64_t channels) {
  x = b.apply("downsamplers.0.pad", "pad",
              {x, b.constant("downsamplers.0.pads", integer_tensor({0, 0, 0, 0, 0, 0, 1, 1}))});
  return b.conv("downsamplers.0.conv", x, channels, {.kernel = {3, 3}, .stride = {2, 2}});
}

ValueId encode(Builder& b, ValueId x, const VaeSpec& spec) {
  const auto scope = b.enter("encoder");
  x = b.conv("conv_in", x, spec.channels[0], {.kernel = {3, 3}, .padding = {1, 1}});
  for (size_t i = 0; i < spec.channels.size() && !b.failed(); ++i) {
    const auto block = b.enter(fmt::format("down_blocks.{}", i));
    for (int64_t k = 0; k < spec.layers; ++k) x = resnet(b, fmt::format("resnets.{}", k), x, spec.channels[i], spec);
    if (i + 1 < spec.channels.size()) x = halved(b, x, spec.channels[i]);
  }
  return ending(b, middle(b, x, spec), 2 * spec.latent, spec);
}

ValueId decode_picture(Builder& b, ValueId x, const VaeSpec& spec) {
  const auto scope = b.enter("decoder");
  x = middle(b, b.conv("conv_in", x, spec.channels.back(), {.kernel = {3, 3}, .padding = {1, 1}}), spec);
  for (size_t i = 0; i < spec.channels.size() && !b.failed(); ++i) {
    const auto block = b.enter(fmt::format("up_blocks.{}", i));
    const int64_t channels = spec.channels[spec.channels.size() - 1 - i];
    for (int64_t k = 0; k <= spec.layers; ++k) x = resnet(b, fmt::format("resnets.{}", k), x, channels, spec);
    if (i + 1 < spec.channels.size()) x = upsampled(b, x);
  }
  return ending(b, x, spec.out, spec);
}

}  // namespace

Result<Graph> build_vae(const Request& request) {
  const VaeSpec spec = read_vae(request.config);
  PLIM_TRY(request.config.finish());
  Builder b(request.name, {spec.in, spec.sample, spec.sample});
  ValueId x = encode(b, b.input(), spec);
  if (spec.quant) x = b.conv("quant_conv", x, 2 * spec.latent, {.kernel = {1, 1}});
  // The mean of the distribution; the other half is its spread.
  const ValueId sizes = b.constant("moments.sizes", integer_tensor({spec.latent, spec.latent}));
  x = b.apply_many("moments", "split", {x, sizes}, {{"axis", int64_t{1}}}, 2)[0];
  if (spec.post_quant) x = b.conv("post_quant_conv", x, spec.latent, {.kernel = {1, 1}});
  return b.finish(decode_picture(b, x, spec));
}

}  // namespace plimsoll
