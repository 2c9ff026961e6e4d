// Convolutions by Fourier transforms, where the engine was told so or expects them to be faster.
#include "run/exec/fft/fft.h"

#include "run/exec/onednn/kernels/conv_choice.h"
#include "run/exec/onednn/kernels/kernels.h"
#include "run/exec/onednn/kernels/tiled_conv.h"

namespace plimsoll {
namespace {

// The convolution of x with the weights, if it can be computed so and that direction of it is to be.
std::optional<FftConv> fft_conv(Site& site, ConvDirection direction, const Shape& x, const Shape& weights) {
  if (site.engine.conv != ConvWay::automatic && site.engine.conv != ConvWay::fft) return std::nullopt;
  const auto conv = tiled_conv(site, x, weights);
  if (!conv || conv->kernel_height * conv->kernel_width == 1) return std::nullopt;
  const int size = fft_size(*conv);
  if (size == 0 || !choose_fft(site.engine, direction, *conv, size)) return std::nullopt;
  site.method = ConvMethod::fft;
  return FftConv{*conv, size};
}

constexpr const char* kNot = "not by FFT";

}  // namespace

std::unique_ptr<Kernel> fft_kernel(Site& site) {
  const auto conv = fft_conv(site, ConvDirection::forward, site.input(0).shape, site.input(1).shape);
  return conv ? tiled_conv_kernel(site, *conv, fft_loops()) : site.decline(kNot);
}

std::unique_ptr<Kernel> fft_norm_kernel(Site& site) {
  const auto conv = fft_conv(site, ConvDirection::forward, site.input(0).shape, site.input(1).shape);
  return conv ? tiled_conv_norm_kernel(site, *conv, fft_loops()) : site.decline(kNot);
}

std::unique_ptr<Kernel> fft_grad_data_kernel(Site& site) {
  const auto conv = fft_conv(site, ConvDirection::grad_data, site.output(0).shape, site.input(1).shape);
  return conv ? tiled_conv_grad_data_kernel(site, *conv, fft_loops()) : site.decline(kNot);
}

std::unique_ptr<Kernel> fft_grad_weights_kernel(Site& site) {
  const auto conv = fft_conv(site, ConvDirection::grad_weights, site.input(0).shape, site.output(0).shape);
  return conv ? tiled_conv_grad_weights_kernel(site, *conv, fft_loops()) : site.decline(kNot);
}

}  // namespace plimsoll
