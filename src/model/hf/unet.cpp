// The U-Net of Stable Diffusion (Rombach 2022) and SDXL (Podell 2023), as diffusers builds it: residual blocks with the
// time step, transformers that look at the text, down and up again with what the way down has left.
// The time step comes in as its sines and cosines, a vector.
#include <fmt/format.h>

#include "base/text.h"
#include "model/hf/diffusion.h"

namespace plimsoll {
namespace {

struct UNetSpec {
  std::vector<int64_t> channels, layers, heads, depths;
  std::vector<bool> down_attention, up_attention;
  int64_t in = 4, out = 4, cross = 1280, groups = 32, sample = 64, time = 0, added = 0;
  bool linear_projection = false, has_middle = true;
  double epsilon = 1e-5;
};

// One number for all blocks, or a list.
std::vector<int64_t> per_block(const Config& config, std::string_view key, int64_t fallback, size_t blocks) {
  auto list = config.is_list(key) ? config.counts(key) : std::vector<int64_t>(blocks, config.size(key, fallback));
  for (const int64_t number : list)
    if (number < 1 || number > 1000) config.fail(fmt::format("{} has {}, expected from 1 to 1000", key, number));
  if (list.size() == blocks) return list;
  config.fail(fmt::format("{} has {} numbers, expected one for each of {} blocks", key, list.size(), blocks));
  return std::vector<int64_t>(blocks, 1);
}

std::vector<bool> attention_of(const Config& config, std::string_view key, const std::vector<std::string>& fallback,
                               size_t blocks) {
  auto names = config.words(key);
  if (names.empty()) names = fallback;
  std::vector<bool> has;
  for (const auto& name : names) {
    if (name != "CrossAttnDownBlock2D" && name != "CrossAttnUpBlock2D" && name != "DownBlock2D" && name != "UpBlock2D")
      config.fail(fmt::format("{} has {}, which is not supported", key, in_quotes(name)),
                  "export it as .onnx, which works");
    has.push_back(name.starts_with("Cross"));
  }
  if (has.size() != blocks)
    config.fail(fmt::format("{} has {} names, expected one for each of {} blocks", key, has.size(), blocks));
  has.resize(blocks);
  return has;
}

void refuse(const Config& config, std::string_view key, const std::string& usual) {
  if (config.has(key) && config.text(key, usual) != usual)
    config.fail(fmt::format("{} is not understood", key), "export it as .onnx, which works");
}

void read_extras(const Config& config, UNetSpec& spec) {
  if (config.has("addition_embed_type")) {
    if (config.text("addition_embed_type", "") != "text_time")
      config.fail("addition_embed_type is not text_time, the only one that is supported");
    spec.added = config.size("projection_class_embeddings_input_dim");
    config.ignore({"addition_time_embed_dim"});
  }
  for (const auto key :
       {"class_embed_type", "encoder_hid_dim_type", "time_embedding_act_fn", "timestep_post_act", "attention_type"})
    if (config.has(key) && !(std::string_view(key) == "attention_type" && config.text(key, "") == "default"))
      config.fail(fmt::format("{} is set, which is not supported", key), "export it as .onnx, which works");
  refuse(config, "time_embedding_type", "positional");
  refuse(config, "resnet_time_scale_shift", "default");
  refuse(config, "act_fn", "silu");
  for (const auto key : {"dual_cross_attention", "class_embeddings_concat", "resnet_skip_time_act"})
    if (config.flag(key, false))
      config.fail(fmt::format("{} is true, which is not supported", key), "export it as .onnx, which works");
  for (const auto key : {"num_class_embeds", "encoder_hid_dim", "time_embedding_dim", "time_cond_proj_dim",
                         "reverse_transformer_layers_per_block"})
    if (config.has(key))
      config.fail(fmt::format("{} is set, which is not supported", key), "export it as .onnx, which works");
  for (const auto key : {"only_cross_attention", "mid_block_only_cross_attention"})
    if (config.is_list(key) || config.flag(key, false))
      config.fail(fmt::format("{} is set, which is not supported", key), "export it as .onnx, which works");
  config.ignore({"addition_embed_type_num_heads", "conv_in_kernel", "conv_out_kernel", "cross_attention_norm",
                 "num_attention_heads", "freq_shift", "flip_sin_to_cos", "downsample_padding", "mid_block_scale_factor",
                 "resnet_out_scale_factor", "upcast_attention"});
  for (const auto key : {"conv_in_kernel", "conv_out_kernel"})
    if (config.size(key, 3) != 3) config.fail(fmt::format("{} is not 3, which is not supported", key));
}

UNetSpec read_unet(const Config& config) {
  UNetSpec spec;
  spec.channels = config.counts("block_out_channels", {320, 640, 1280, 1280});
  if (spec.channels.empty() || spec.channels.size() > 16)
    config.fail("block_out_channels has no blocks, or more than 16");
  spec.channels.resize(std::clamp<size_t>(spec.channels.size(), 1, 16), 32);
  const size_t blocks = spec.channels.size();
  spec.layers = per_block(config, "layers_per_block", 2, blocks);
  spec.heads = per_block(config, "num_attention_heads|attention_head_dim", 8, blocks);
  if (config.is_list("attention_head_dim")) spec.heads = per_block(config, "attention_head_dim", 8, blocks);
  spec.depths = per_block(config, "transformer_layers_per_block", 1, blocks);
  spec.down_attention =
      attention_of(config, "down_block_types",
                   {"CrossAttnDownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D", "DownBlock2D"}, blocks);
  spec.up_attention =
      attention_of(config, "up_block_types",
                   {"UpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D"}, blocks);
  refuse(config, "mid_block_type", "UNetMidBlock2DCrossAttn");
  spec.has_middle = !config.is_null("mid_block_type");
  spec.in = config.size("in_channels", 4);
  spec.out = config.size("out_channels", 4);
  spec.cross = config.size("cross_attention_dim", 1280);
  spec.groups = config.size("norm_num_groups", 32);
  spec.sample = config.size("sample_size", 64);
  spec.linear_projection = config.flag("use_linear_projection", false);
  spec.epsilon = config.number("norm_eps", 1e-5);
  for (size_t i = 0; i < blocks; ++i)
    if (spec.channels[i] < 1 || spec.channels[i] % spec.groups != 0 || spec.channels[i] % spec.heads[i] != 0)
      config.fail(fmt::format("block_out_channels has {}, which {} groups and {} heads do not divide", spec.channels[i],
                              spec.groups, spec.heads[i]));
  if (spec.sample > 4096 || spec.sample % (int64_t{1} << (blocks - 1)) != 0)
    config.fail(fmt::format("sample_size is {}, expected a multiple of {} up to 4096", spec.sample,
                            int64_t{1} << (blocks - 1)));
  read_extras(config, spec);
  return spec;
}

class UNet {
 public:
  UNet(Builder& b, const UNetSpec& spec) : b_(b), spec_(spec) {}

  ValueId run() {
    embed_time();
    text_ = b_.add_input("encoder_hidden_states", {77, spec_.cross});
    ValueId x = b_.conv("conv_in", b_.input(), spec_.channels[0], {.kernel = {3, 3}, .padding = {1, 1}});
    std::vector<ValueId> left{x};
    for (size_t i = 0; i < spec_.channels.size() && !b_.failed(); ++i) x = down(i, x, left);
    if (spec_.has_middle) x = middle(x);
    for (size_t i = 0; i < spec_.channels.size() && !b_.failed(); ++i) x = up(i, x, left);
    x = b_.apply("conv_act", "silu", {group_norm(b_, "conv_norm_out", x, spec_.groups, spec_.epsilon)});
    return b_.conv("conv_out", x, spec_.out, {.kernel = {3, 3}, .padding = {1, 1}});
  }

 private:
  ValueId two_layers(const std::string& name, ValueId x) {
    const int64_t width = 4 * spec_.channels[0];
    x = b_.apply(name + ".act", "silu", {b_.linear(name + ".linear_1", x, width)});
    return b_.linear(name + ".linear_2", x, width);
  }

  void embed_time() {
    ValueId t = two_layers("time_embedding", b_.add_input("timestep", {spec_.channels[0]}));
    if (spec_.added > 0)
      t = b_.add("add_embeddings", t, two_layers("add_embedding", b_.add_input("added_conditions", {spec_.added})));
    time_ = b_.apply("time_act", "silu", {t});
  }

  ValueId resnet(const std::string& name, ValueId x, int64_t channels) {
    const auto scope = b_.enter(name);
    return residual_block(b_, x, channels, {spec_.groups, spec_.epsilon, time_});
  }

  ValueId transformer(const std::string& name, ValueId x, int64_t heads, int64_t depth) {
    const auto scope = b_.enter(name);
    const int64_t channels = b_.failed() ? 1 : b_.shape(x)[1], side = b_.failed() ? 1 : b_.shape(x)[2];
    ValueId y = group_norm(b_, "norm", x, spec_.groups, 1e-6);
    const auto as_tokens = [&](ValueId v) {
      return b_.transpose("tokens", b_.reshape("flat", v, {0, channels, -1}), {0, 2, 1});
    };
    if (spec_.linear_projection) y = b_.linear("proj_in", as_tokens(y), channels);
    else y = as_tokens(b_.conv("proj_in", y, channels, {.kernel = {1, 1}}));
    for (int64_t i = 0; i < depth && !b_.failed(); ++i) {
      const auto block = b_.enter(fmt::format("transformer_blocks.{}", i));
      y = transformer_block(y, heads);
    }
    const auto as_picture = [&](ValueId v) {
      return b_.reshape("picture", b_.transpose("channels_first", v, {0, 2, 1}), {0, channels, side, side});
    };
    if (spec_.linear_projection) y = as_picture(b_.linear("proj_out", y, channels));
    else y = b_.conv("proj_out", as_picture(y), channels, {.kernel = {1, 1}});
    return b_.add("add", x, y);
  }

  ValueId attend(const std::string& name, ValueId x, ValueId memory, int64_t heads) {
    const auto scope = b_.enter(name);
    AttentionSpec spec{.heads = heads,
                       .kv_heads = heads,
                       .head = b_.failed() ? 1 : b_.shape(x)[2] / heads,
                       .output_bias = true,
                       .causal = false,
                       .upcast = false};
    spec.q = "to_q";
    spec.k = "to_k";
    spec.v = "to_v";
    spec.o = "to_out.0";
    return attention_block(b_, spec, x, memory);
  }

  ValueId transformer_block(ValueId x, int64_t heads) {
    const int64_t width = b_.failed() ? 1 : b_.shape(x)[2];
    const ValueId seen = b_.layer_norm("norm1", x);
    x = b_.add("add_1", attend("attn1", seen, seen, heads), x);
    x = b_.add("add_2", attend("attn2", b_.layer_norm("norm2", x), text_, heads), x);
    const auto both = split_last(b_, "ff.net.0.split", b_.linear("ff.net.0.proj", b_.layer_norm("norm3", x), 8 * width),
                                 {4 * width, 4 * width});
    const ValueId gated = b_.apply("ff.net.0.gated", "mul", {both[0], b_.apply("ff.net.0.gelu", "gelu", {both[1]})});
    return b_.add("add_3", b_.linear("ff.net.2", gated, width), x);
  }

  ValueId down(size_t i, ValueId x, std::vector<ValueId>& left) {
    const auto scope = b_.enter(fmt::format("down_blocks.{}", i));
    for (int64_t k = 0; k < spec_.layers[i] && !b_.failed(); ++k) {
      x = resnet(fmt::format("resnets.{}", k), x, spec_.channels[i]);
      if (spec_.down_attention[i]) x = transformer(fmt::format("attentions.{}", k), x, spec_.heads[i], spec_.depths[i]);
      left.push_back(x);
    }
    if (i + 1 == spec_.channels.size()) return x;
    x = b_.conv("downsamplers.0.conv", x, spec_.channels[i], {.kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}});
    left.push_back(x);
    return x;
  }

  ValueId middle(ValueId x) {
    const auto scope = b_.enter("mid_block");
    const int64_t channels = spec_.channels.back();
    x = resnet("resnets.0", x, channels);
    x = transformer("attentions.0", x, spec_.heads.back(), spec_.depths.back());
    return resnet("resnets.1", x, channels);
  }

  ValueId up(size_t i, ValueId x, std::vector<ValueId>& left) {
    const auto scope = b_.enter(fmt::format("up_blocks.{}", i));
    const size_t mirror = spec_.channels.size() - 1 - i;
    for (int64_t k = 0; k <= spec_.layers[mirror] && !b_.failed(); ++k) {
      x = b_.concat(fmt::format("join.{}", k), {x, left.back()});
      left.pop_back();
      x = resnet(fmt::format("resnets.{}", k), x, spec_.channels[mirror]);
      if (spec_.up_attention[i])
        x = transformer(fmt::format("attentions.{}", k), x, spec_.heads[mirror], spec_.depths[mirror]);
    }
    return mirror == 0 ? x : upsampled(b_, x);
  }

  Builder& b_;
  const UNetSpec& spec_;
  ValueId time_, text_;
};

}  // namespace

Result<Graph> build_unet(const Request& request) {
  const UNetSpec spec = read_unet(request.config);
  PLIM_TRY(request.config.finish());
  Builder b(request.name, {spec.in, spec.sample, spec.sample});
  return b.finish(UNet(b, spec).run());
}

}  // namespace plimsoll
