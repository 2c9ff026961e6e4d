// Layers with a state instead of attention: Mamba (Gu 2023) and Mamba 2 (Dao 2024); and with a short convolution alone.
#include <fmt/format.h>

#include "model/hf/blocks.h"

namespace plimsoll {

ValueId causal_conv(Builder& b, const std::string& name, ValueId x, int64_t kernel, bool bias,
                    const std::string& activation) {
  const int64_t channels = b.shape(x)[2];
  x = b.transpose(name + ".channels_first", x, {0, 2, 1});
  std::vector<ValueId> inputs{x, b.parameter(name + ".weight", {channels, 1, kernel})};
  if (bias) inputs.push_back(b.parameter(name + ".bias", {channels}));
  x = b.apply(name, "conv", std::move(inputs),
              {{"kernel_shape", Sizes{kernel}}, {"pads", Sizes{kernel - 1, 0}}, {"group", channels}});
  if (!activation.empty()) x = b.apply(name + ".act", activation, {x});
  return b.transpose(name + ".channels_last", x, {0, 2, 1});
}

namespace {

// The decays are stored as logarithms, (heads, state) or (heads).
ValueId decays(Builder& b, const Shape& shape) {
  const ValueId stored = b.parameter("A_log", shape);
  ValueId a = b.apply("A", "neg", {b.apply("A_exp", "exp", {stored})});
  return shape.rank() == 1 ? b.reshape("A_column", a, {-1, 1}) : a;
}

ValueId mamba_1(Builder& b, const MambaSpec& spec, ValueId x, int64_t width) {
  const auto both =
      split_last(b, "in_split", b.linear("in_proj", x, 2 * spec.inner, spec.bias), {spec.inner, spec.inner});
  const ValueId inner = causal_conv(b, "conv1d", both[0], spec.kernel, spec.conv_bias);
  const auto parts = split_last(b, "x_split", b.linear("x_proj", inner, spec.rank + 2 * spec.state, false),
                                {spec.rank, spec.state, spec.state});
  const auto normed = [&](const char* name, ValueId y) { return norm(b, name, y, {spec.inner_norm, spec.epsilon}); };
  const ValueId rank = normed("dt_layernorm", parts[0]), in = normed("b_layernorm", parts[1]),
                out = normed("c_layernorm", parts[2]);
  const ValueId steps = b.apply("dt", "softplus", {b.linear("dt_proj", rank, spec.inner, true)});
  ValueId y = b.apply("scan", "selective_scan",
                      {inner, steps, decays(b, {spec.inner, spec.state}), in, out, b.parameter("D", {spec.inner})});
  y = b.apply("gated", "mul", {y, b.apply("gate", "silu", {both[1]})});
  return b.linear("out_proj", y, width, spec.bias);
}

// Falcon-H1 scales each part of what the first layer makes.
ValueId scaled_parts(Builder& b, const MambaSpec& spec, ValueId x) {
  if (spec.part_scales.empty() || b.failed()) return x;
  const int64_t shared = spec.groups * spec.state;
  const int64_t sizes[] = {spec.inner, spec.inner, shared, shared, spec.heads};
  std::vector<float> factors;
  for (size_t i = 0; i < std::size(sizes); ++i)
    factors.insert(factors.end(), size_t(sizes[i]), float(spec.part_scales[i]));
  const Shape shape{int64_t(factors.size())};
  return b.apply("part_scales", "mul", {x, b.constant("part_scales.factor", float_tensor(shape, std::move(factors)))});
}

ValueId mamba_2(Builder& b, const MambaSpec& spec, ValueId x, int64_t width) {
  const int64_t shared = spec.groups * spec.state, convolved = spec.inner + 2 * shared;
  x = b.linear("in_proj", scaled_by(b, "in_scale", x, spec.in_scale), spec.inner + convolved + spec.heads, spec.bias);
  const auto parts = split_last(b, "in_split", scaled_parts(b, spec, x), {spec.inner, convolved, spec.heads});
  const auto inner = split_last(b, "conv_split", causal_conv(b, "conv1d", parts[1], spec.kernel, spec.conv_bias),
                                {spec.inner, shared, shared});
  const ValueId steps = b.apply("dt", "softplus", {b.add("dt_sum", parts[2], b.parameter("dt_bias", {spec.heads}))});
  ValueId y = b.apply("scan", "selective_scan",
                      {inner[0], steps, decays(b, {spec.heads}), inner[1], inner[2], b.parameter("D", {spec.heads})},
                      {{"groups", spec.groups}});
  const auto normed = [&](bool now) {
    if (spec.normed && now) y = norm(b, "norm", y, {.epsilon = spec.epsilon});
  };
  normed(spec.norm_first);
  y = b.apply("gated", "mul", {y, b.apply("gate", "silu", {parts[0]})});
  normed(!spec.norm_first);
  return b.linear("out_proj", y, width, spec.bias);
}

}  // namespace

ValueId short_conv_block(Builder& b, const ShortConvSpec& spec, ValueId x) {
  if (b.failed()) return x;
  const int64_t width = b.shape(x)[2];
  const auto parts = split_last(b, "in_split", b.linear("in_proj", x, 3 * width, spec.bias), {width, width, width});
  const ValueId in = b.apply("gated_in", "mul", {parts[0], parts[2]});
  const ValueId y = causal_conv(b, "conv", in, spec.kernel, spec.bias, "");
  return b.linear("out_proj", b.apply("gated_out", "mul", {parts[1], y}), width, spec.bias);
}

ValueId mamba_block(Builder& b, const MambaSpec& spec, ValueId x) {
  if (b.failed()) return x;
  const int64_t width = b.shape(x)[2];
  return spec.heads > 0 ? mamba_2(b, spec, x, width) : mamba_1(b, spec, x, width);
}

}  // namespace plimsoll
