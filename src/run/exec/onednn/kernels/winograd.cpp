// Convolutions in Winograd's domain, where the engine was told so or expects them to be faster.
#include "run/exec/winograd/winograd.h"

#include <cmath>

#include "model/ops/convolution.h"
#include "run/exec/onednn/kernels/conv_choice.h"
#include "run/exec/onednn/kernels/kernels.h"

namespace plimsoll {
namespace {

bool is_3x3_step_1(const Convolution& conv) {
  const Window& window = conv.window;
  if (conv.groups != 1 || window.kernel.size() != 2) return false;
  for (size_t axis = 0; axis < 2; ++axis) {
    const bool usual = window.kernel[axis] == 3 && window.stride[axis] == 1 && window.dilation[axis] == 1 &&
                       window.pad_begin[axis] >= 0 && window.pad_begin[axis] <= 2;
    if (!usual) return false;
  }
  return true;
}

// The convolution of x with the weights, if it can be computed so and that direction of it is to be.
std::optional<WinogradConv> winograd_conv(Site& site, ConvDirection direction, const Shape& x, const Shape& weights) {
  if (site.engine.conv == ConvWay::direct || !site.all_f32() || winograd_block() == 0) return std::nullopt;
  const auto conv = convolution(site.attributes(), x, weights);
  if (!conv.ok() || x.rank() != 4 || !is_3x3_step_1(*conv)) return std::nullopt;
  if (x[1] < winograd_block() || weights[0] < winograd_block()) return std::nullopt;
  const ConvMethod method = choose_method(
      site.engine, direction,
      {.kernel = 3, .in = x[1], .out = weights[0], .batch = x[0], .height = conv->output[2], .width = conv->output[3]});
  if (method == ConvMethod::direct) return std::nullopt;
  site.method = method;
  WinogradConv result;
  result.batch = x[0];
  result.in_channels = x[1];
  result.in_height = x[2];
  result.in_width = x[3];
  result.out_channels = weights[0];
  result.out_height = conv->output[2];
  result.out_width = conv->output[3];
  result.pad_top = conv->window.pad_begin[0];
  result.pad_left = conv->window.pad_begin[1];
  result.tile = method == ConvMethod::winograd_2x2 ? 2 : 4;
  result.threads = site.engine.threads;
  return result;
}

// Its way back: from the gradient of the output to that of the input.
WinogradConv turned(WinogradConv conv) {
  std::swap(conv.in_channels, conv.out_channels);
  std::swap(conv.in_height, conv.out_height);
  std::swap(conv.in_width, conv.out_width);
  conv.pad_top = 2 - conv.pad_top;
  conv.pad_left = 2 - conv.pad_left;
  conv.turned = true;
  return conv;
}

Layout blocked_weights(const Shape& shape) {
  using Tag = dnnl::memory::format_tag;
  return {dnnl::memory::desc(dims_of(shape), dnnl::memory::data_type::f32,
                             winograd_block() == 16 ? Tag::OIhw16i16o : Tag::OIhw8i8o)};
}

Layout blocked(const TensorType& type) { return blocked_layout(type.shape, winograd_block()); }

Bytes floats(int64_t count) { return Bytes(count * int64_t(sizeof(float))); }

int64_t padded_channels(int64_t channels) {
  return (channels + winograd_block() - 1) / winograd_block() * winograd_block();
}

}  // namespace

// x, weights, bias → y
std::unique_ptr<Kernel> winograd_kernel(Site& site) {
  if (site.has_input(3) || site.attributes().has("activation")) return site.decline("fused with something else");
  auto conv = winograd_conv(site, ConvDirection::forward, site.input(0).shape, site.input(1).shape);
  if (!conv) return site.decline("not by Winograd");
  conv->relu = site.operation.then != nullptr;
  site.all_row_major();
  site.need(0, blocked(site.input(0)));
  site.need(1, blocked_weights(site.input(1).shape));
  site.give(0, blocked(site.output(0)));
  const bool bias = site.has_input(2);
  const int64_t channels = bias ? padded_channels(conv->out_channels) : 0;
  return loop_kernel(
      [conv = *conv, bias, channels](const Places& places) {
        float* shift = places.work();
        if (bias) {
          std::fill(shift, shift + channels, 0.0f);
          std::copy_n(places.in(2), conv.out_channels, shift);
        }
        winograd(conv, places.in(0), places.in(1), {nullptr, bias ? shift : nullptr}, places.out(0), shift + channels);
      },
      floats(winograd_space(*conv) + channels));
}

// x, weights, bias, scale, shift, mean, variance → y
std::unique_ptr<Kernel> winograd_norm_kernel(Site& site) {
  auto conv = winograd_conv(site, ConvDirection::forward, site.input(0).shape, site.input(1).shape);
  if (!conv) return site.decline("not by Winograd");
  conv->relu = site.operation.then != nullptr;
  site.all_row_major();
  site.need(0, blocked(site.input(0)));
  site.need(1, blocked_weights(site.input(1).shape));
  site.give(0, blocked(site.output(0)));
  const int64_t channels = padded_channels(conv->out_channels);
  const double epsilon = site.attributes().number("epsilon", 1e-5);
  return loop_kernel(
      [conv = *conv, channels, epsilon, bias = site.has_input(2)](const Places& places) {
        float *scale = places.work(), *shift = scale + channels;
        std::fill(scale, scale + 2 * channels, 0.0f);
        for (int64_t c = 0; c < conv.out_channels; ++c) {
          scale[c] = float(places.in(3)[c] / std::sqrt(double(places.in(6)[c]) + epsilon));
          shift[c] = places.in(4)[c] + ((bias ? places.in(2)[c] : 0.0f) - places.in(5)[c]) * scale[c];
        }
        winograd(conv, places.in(0), places.in(1), {scale, shift}, places.out(0), shift + channels);
      },
      floats(winograd_space(*conv) + 2 * channels));
}

// dy, weights → dx
std::unique_ptr<Kernel> winograd_grad_data_kernel(Site& site) {
  const auto conv = winograd_conv(site, ConvDirection::grad_data, site.output(0).shape, site.input(1).shape);
  if (!conv) return site.decline("not by Winograd");
  const WinogradConv back = turned(*conv);
  site.need(0, blocked(site.input(0)));
  site.need(1, blocked_weights(site.input(1).shape));
  site.give(0, blocked(site.output(0)));
  return loop_kernel(
      [back](const Places& places) { winograd(back, places.in(0), places.in(1), {}, places.out(0), places.work()); },
      floats(winograd_space(back)));
}

// x, dy → dweights
std::unique_ptr<Kernel> winograd_grad_weights_kernel(Site& site) {
  const auto conv = winograd_conv(site, ConvDirection::grad_weights, site.input(0).shape, site.output(0).shape);
  if (!conv) return site.decline("not by Winograd");
  site.need(0, blocked(site.input(0)));
  site.need(1, blocked(site.input(1)));
  site.give(0, blocked_weights(site.output(0).shape));
  return loop_kernel(
      [conv = *conv](const Places& places) {
        winograd_gradient(conv, places.in(0), places.in(1), places.out(0), places.work());
      },
      floats(winograd_gradient_space(*conv)));
}

}  // namespace plimsoll
