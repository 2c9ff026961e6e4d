// Convolutions in Winograd's domain, where the engine was told so or expects them to be faster.
#include "run/exec/winograd/winograd.h"

#include "run/exec/onednn/kernels/conv_choice.h"
#include "run/exec/onednn/kernels/kernel_makers.h"
#include "run/exec/onednn/kernels/tiled_conv_kernel.h"

namespace plimsoll {
namespace {

// The convolution of x with the weights, if it can be computed so and that direction of it is to be.
std::optional<WinogradConv> winograd_conv(Site& site, ConvDirection direction, const Shape& x, const Shape& weights) {
  const auto no = [&](std::string_view why) {
    site.decline(why);
    return std::nullopt;
  };
  if (site.engine.conv != ConvSetting::automatic && site.engine.conv != ConvSetting::winograd)
    return no("another method was asked for");
  const auto conv = tiled_conv(site, x, weights);
  if (!conv) return no(kNotByTiles);
  if (conv->kernel_height != 3 || conv->kernel_width != 3) return no("its kernel is not 3x3");
  const ConvMethod method = choose_winograd(site.engine, direction, *conv);
  if (method == ConvMethod::direct) return no("another method is expected to be faster");
  site.method = method;
  return WinogradConv{*conv, method == ConvMethod::winograd_2x2 ? 2 : 4};
}

}  // namespace

std::unique_ptr<Kernel> winograd_kernel(Site& site) {
  const auto conv = winograd_conv(site, ConvDirection::forward, site.input(0).shape, site.input(1).shape);
  return conv ? tiled_conv_kernel(site, *conv, winograd_loops()) : nullptr;
}

std::unique_ptr<Kernel> winograd_norm_kernel(Site& site) {
  const auto conv = winograd_conv(site, ConvDirection::forward, site.input(0).shape, site.input(1).shape);
  return conv ? tiled_conv_norm_kernel(site, *conv, winograd_loops()) : nullptr;
}

std::unique_ptr<Kernel> winograd_grad_data_kernel(Site& site) {
  const auto conv = winograd_conv(site, ConvDirection::grad_data, site.output(0).shape, site.input(1).shape);
  return conv ? tiled_conv_grad_data_kernel(site, *conv, winograd_loops()) : nullptr;
}

std::unique_ptr<Kernel> winograd_grad_weights_kernel(Site& site) {
  const auto conv = winograd_conv(site, ConvDirection::grad_weights, site.input(0).shape, site.output(0).shape);
  return conv ? tiled_conv_grad_weights_kernel(site, *conv, winograd_loops()) : nullptr;
}

}  // namespace plimsoll
