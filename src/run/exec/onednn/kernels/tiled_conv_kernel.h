// Kernels for convolutions by tiles (run/exec/tiled_conv), whatever their domain: it gives a Conv and its loops.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "run/exec/onednn/kernels/summand.h"
#include "run/exec/onednn/site.h"
#include "run/exec/tiled_conv/way_back.h"

namespace plimsoll {

constexpr std::string_view kNotByTiles = "not an f32 image at stride 1 with at least a block of channels";

// The convolution of x with the weights, if some domain could compute it.
std::optional<TiledConv> tiled_conv(const Site& site, const Shape& x, const Shape& weights);

// What the kernels ask of values and weights.
Layout tiled_conv_layout(const Shape& shape);
Layout tiled_conv_weights_layout(const Shape& shape);

// x and weights to y, as both forward kernels have them first.
void place_tiled_conv(Site& site);

Bytes bytes_of_floats(int64_t count);
int64_t whole_blocks(int64_t channels);  // the channels that these blocks hold

// x, weights, bias, summand → y
template <class Conv>
std::unique_ptr<Kernel> tiled_conv_kernel(Site& site, Conv conv, const TiledLoops<Conv>& loops) {
  if (site.attributes().has("activation")) return site.decline("fused with something else");
  conv.adds = site.has_input(3);
  conv.relu = site.operation.then != nullptr;
  place_tiled_conv(site);
  const bool bias = site.has_input(2);
  const int64_t channels = bias ? whole_blocks(conv.out_channels) : 0;
  auto kernel = loop_kernel(
      [conv, &loops, bias, channels](const Places& places) {
        float* shift = places.work();
        if (bias) {
          std::fill(shift, shift + channels, 0.0f);
          std::copy_n(places.in(2), conv.out_channels, shift);
        }
        loops.convolve(conv, places.in(0), places.in(1), {nullptr, bias ? shift : nullptr}, places.out(0),
                       shift + channels);
      },
      bytes_of_floats(loops.space(conv) + channels));
  return onto_summand(site, std::move(kernel));
}

// x, weights, bias, scale, shift, mean, variance → y
template <class Conv>
std::unique_ptr<Kernel> tiled_conv_norm_kernel(Site& site, Conv conv, const TiledLoops<Conv>& loops) {
  conv.relu = site.operation.then != nullptr;
  place_tiled_conv(site);
  const int64_t channels = whole_blocks(conv.out_channels);
  const double epsilon = site.attributes().number("epsilon", 1e-5);
  return loop_kernel(
      [conv, &loops, channels, epsilon, bias = site.has_input(2)](const Places& places) {
        float *scale = places.work(), *shift = scale + channels;
        std::fill(scale, scale + 2 * channels, 0.0f);
        for (int64_t c = 0; c < conv.out_channels; ++c) {
          scale[c] = float(places.in(3)[c] / std::sqrt(double(places.in(6)[c]) + epsilon));
          shift[c] = places.in(4)[c] + ((bias ? places.in(2)[c] : 0.0f) - places.in(5)[c]) * scale[c];
        }
        loops.convolve(conv, places.in(0), places.in(1), {scale, shift}, places.out(0), shift + channels);
      },
      bytes_of_floats(loops.space(conv) + 2 * channels));
}

// dy, weights → dx, of the convolution forward
template <class Conv>
std::unique_ptr<Kernel> tiled_conv_grad_data_kernel(Site& site, const Conv& conv, const TiledLoops<Conv>& loops) {
  const Conv back = way_back(conv);
  site.need(0, tiled_conv_layout(site.input(0).shape));
  site.need(1, tiled_conv_weights_layout(site.input(1).shape));
  site.give(0, tiled_conv_layout(site.output(0).shape));
  return loop_kernel(
      [back, &loops](const Places& places) {
        loops.convolve(back, places.in(0), places.in(1), {}, places.out(0), places.work());
      },
      bytes_of_floats(loops.space(back)));
}

// x, dy → dweights
template <class Conv>
std::unique_ptr<Kernel> tiled_conv_grad_weights_kernel(Site& site, const Conv& conv, const TiledLoops<Conv>& loops) {
  site.need(0, tiled_conv_layout(site.input(0).shape));
  site.need(1, tiled_conv_layout(site.input(1).shape));
  site.give(0, tiled_conv_weights_layout(site.output(0).shape));
  return loop_kernel(
      [conv, &loops](const Places& places) {
        loops.gradient(conv, places.in(0), places.in(1), places.out(0), places.work());
      },
      bytes_of_floats(loops.gradient_space(conv)));
}

}  // namespace plimsoll
