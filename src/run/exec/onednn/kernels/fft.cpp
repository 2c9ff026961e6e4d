// Convolutions by Fourier transforms, where the engine was told so or expects them to be faster.
#include "run/exec/fft/fft.h"

#include "run/exec/onednn/kernels/conv_choice.h"
#include "run/exec/onednn/kernels/kernel_makers.h"
#include "run/exec/onednn/kernels/tiled_conv_kernel.h"

namespace plimsoll {
namespace {

// The convolution of x with the weights, if it can be computed so and that direction of it is to be.
std::optional<FftConv> fft_conv(Site& site, ConvDirection direction, const Shape& x, const Shape& weights) {
  const auto no = [&](std::string_view why) {
    site.decline(why);
    return std::nullopt;
  };
  if (site.engine.conv != ConvSetting::automatic && site.engine.conv != ConvSetting::fft)
    return no("another method was asked for");
  const auto conv = tiled_conv(site, x, weights);
  if (!conv) return no(kNotByTiles);
  if (conv->kernel_height * conv->kernel_width == 1) return no("its kernel is 1x1");
  const int size = fft_size(*conv);
  if (size == 0) return no("its kernel is too large for a transform");
  if (!choose_fft(site.engine, direction, *conv, size)) return no("another method is expected to be faster");
  site.method = ConvMethod::fft;
  return FftConv{*conv, size};
}

}  // namespace

std::unique_ptr<Kernel> fft_kernel(Site& site) {
  const auto conv = fft_conv(site, ConvDirection::forward, site.input(0).shape, site.input(1).shape);
  return conv ? tiled_conv_kernel(site, *conv, fft_loops()) : nullptr;
}

std::unique_ptr<Kernel> fft_norm_kernel(Site& site) {
  const auto conv = fft_conv(site, ConvDirection::forward, site.input(0).shape, site.input(1).shape);
  return conv ? tiled_conv_norm_kernel(site, *conv, fft_loops()) : nullptr;
}

std::unique_ptr<Kernel> fft_grad_data_kernel(Site& site) {
  const auto conv = fft_conv(site, ConvDirection::grad_data, site.output(0).shape, site.input(1).shape);
  return conv ? tiled_conv_grad_data_kernel(site, *conv, fft_loops()) : nullptr;
}

std::unique_ptr<Kernel> fft_grad_weights_kernel(Site& site) {
  const auto conv = fft_conv(site, ConvDirection::grad_weights, site.input(0).shape, site.output(0).shape);
  return conv ? tiled_conv_grad_weights_kernel(site, *conv, fft_loops()) : nullptr;
}

}  // namespace plimsoll
