// Convolutions in Winograd's domain, where the engine was told so or expects them to be faster.
#include "run/exec/winograd/winograd.h"

#include "run/exec/onednn/kernels/kernels.h"
#include "run/exec/onednn/kernels/tiled_conv.h"

namespace plimsoll {
namespace {

constexpr int kTile = 4;

// The convolution of x with the weights, if it can be computed so.
std::optional<WinogradConv> winograd_conv(const Site& site, const Shape& x, const Shape& weights) {
  if (site.engine.conv != ConvWay::automatic && site.engine.conv != ConvWay::winograd) return std::nullopt;
  const auto conv = tiled_conv(site, x, weights);
  if (!conv || conv->kernel_height != 3 || conv->kernel_width != 3) return std::nullopt;
  return WinogradConv{*conv, kTile};
}

constexpr const char* kNot = "not by Winograd";

}  // namespace

std::unique_ptr<Kernel> winograd_kernel(Site& site) {
  const auto conv = winograd_conv(site, site.input(0).shape, site.input(1).shape);
  return conv ? tiled_conv_kernel(site, *conv, winograd_loops()) : site.decline(kNot);
}

std::unique_ptr<Kernel> winograd_norm_kernel(Site& site) {
  const auto conv = winograd_conv(site, site.input(0).shape, site.input(1).shape);
  return conv ? tiled_conv_norm_kernel(site, *conv, winograd_loops()) : site.decline(kNot);
}

std::unique_ptr<Kernel> winograd_grad_data_kernel(Site& site) {
  const auto conv = winograd_conv(site, site.output(0).shape, site.input(1).shape);
  return conv ? tiled_conv_grad_data_kernel(site, *conv, winograd_loops()) : site.decline(kNot);
}

std::unique_ptr<Kernel> winograd_grad_weights_kernel(Site& site) {
  const auto conv = winograd_conv(site, site.input(0).shape, site.output(0).shape);
  return conv ? tiled_conv_grad_weights_kernel(site, *conv, winograd_loops()) : site.decline(kNot);
}

}  // namespace plimsoll
