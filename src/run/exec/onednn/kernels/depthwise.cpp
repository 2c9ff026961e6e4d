// Convolutions of each channel with a kernel of its own, by loops of our own: oneDNN's gradients of wide kernels run
// without vectors.
#include "run/exec/depthwise/depthwise.h"

#include "model/ops/convolution.h"
#include "run/exec/onednn/kernels/kernel_makers.h"
#include "run/exec/onednn/kernels/tiled_conv_kernel.h"

namespace plimsoll {
namespace {

constexpr std::string_view kNotDepthwise = "not an f32 image with a kernel for each channel, at stride 1 or 2";

bool has_usual_steps(const Window& window) {
  return window.kernel.size() == 2 && window.stride[1] <= 2 && window.dilation[0] == 1 && window.dilation[1] == 1 &&
         window.pad_begin[0] >= 0 && window.pad_begin[1] >= 0;
}

// The convolution of x with the weights, if the loops can compute it.
std::optional<DepthwiseConv> depthwise_conv(const Site& site, const Shape& x, const Shape& weights) {
  if (!site.all_f32() || tiled_conv_block() == 0 || x.rank() != 4 || x.elements() == Count(0)) return std::nullopt;
  const auto conv = convolution(site.attributes(), x, weights);
  if (!conv.ok() || conv->groups == 1 || conv->groups != x[1] || weights[0] != x[1] || !has_usual_steps(conv->window) ||
      conv->output.elements() == Count(0))
    return std::nullopt;
  const Window& window = conv->window;
  return DepthwiseConv{.batch = x[0],
                       .channels = x[1],
                       .in_height = x[2],
                       .in_width = x[3],
                       .out_height = conv->output[2],
                       .out_width = conv->output[3],
                       .kernel_height = window.kernel[0],
                       .kernel_width = window.kernel[1],
                       .stride_down = window.stride[0],
                       .stride_along = window.stride[1],
                       .pad_top = window.pad_begin[0],
                       .pad_left = window.pad_begin[1],
                       .threads = site.engine.threads};
}

Layout depthwise_weights(const DepthwiseConv& conv) {
  using Tag = dnnl::memory::format_tag;
  return {dnnl::memory::desc({conv.channels, 1, 1, conv.kernel_height, conv.kernel_width}, dnnl::memory::data_type::f32,
                             tiled_conv_block() == 16 ? Tag::Goihw16g : Tag::Goihw8g)};
}

// Whether values keep their channels last, as input `i` has them now.
bool keeps_channels_last(const Site& site, size_t i) {
  const Shape& shape = site.input(i).shape;
  return shape[1] % tiled_conv_block() == 0 && !site.is_free(i) && is_channels_last(site.layout(i), shape);
}

Layout depthwise_values(const DepthwiseConv& conv, const Shape& shape) {
  return conv.channels_last ? channels_last(shape) : tiled_conv_layout(shape);
}

}  // namespace

// x, weights, bias, summand → y
std::unique_ptr<Kernel> depthwise_kernel(Site& site) {
  auto conv = depthwise_conv(site, site.input(0).shape, site.input(1).shape);
  if (!conv) return site.decline(kNotDepthwise);
  if (site.attributes().has("activation")) return site.decline("fused with something else");
  conv->channels_last = keeps_channels_last(site, 0);
  conv->adds = site.has_input(3);
  conv->relu = site.operation.then != nullptr;
  site.all_row_major();
  site.need(0, depthwise_values(*conv, site.input(0).shape));
  site.need(1, depthwise_weights(*conv));
  site.give(0, depthwise_values(*conv, site.output(0).shape));
  site.method = ConvMethod::depthwise;
  const bool bias = site.has_input(2);
  const int64_t channels = bias ? whole_blocks(conv->channels) : 0;
  auto kernel = loop_kernel(
      [conv = *conv, bias, channels](const Places& places) {
        float* shift = places.work();
        if (bias) {
          std::fill(shift, shift + channels, 0.0F);
          std::copy_n(places.in(2), conv.channels, shift);
        }
        depthwise_loops().forward(conv, places.in(0), places.in(1), bias ? shift : nullptr, places.out(0));
      },
      bytes_of_floats(channels));
  return onto_summand(site, std::move(kernel));
}

// dy, weights → dx
std::unique_ptr<Kernel> depthwise_grad_data_kernel(Site& site) {
  auto conv = depthwise_conv(site, site.output(0).shape, site.input(1).shape);
  if (!conv) return site.decline(kNotDepthwise);
  conv->channels_last = keeps_channels_last(site, 0);
  site.need(0, depthwise_values(*conv, site.input(0).shape));
  site.need(1, depthwise_weights(*conv));
  site.give(0, depthwise_values(*conv, site.output(0).shape));
  site.method = ConvMethod::depthwise;
  return loop_kernel([conv = *conv](const Places& places) {
    depthwise_loops().grad_data(conv, places.in(0), places.in(1), places.out(0));
  });
}

// x, dy → dweights
std::unique_ptr<Kernel> depthwise_grad_weights_kernel(Site& site) {
  auto conv = depthwise_conv(site, site.input(0).shape, site.output(0).shape);
  if (!conv) return site.decline(kNotDepthwise);
  conv->channels_last = keeps_channels_last(site, 0);
  site.need(0, depthwise_values(*conv, site.input(0).shape));
  site.need(1, depthwise_values(*conv, site.input(1).shape));
  site.give(0, depthwise_weights(*conv));
  site.method = ConvMethod::depthwise;
  return loop_kernel(
      [conv = *conv](const Places& places) {
        depthwise_loops().grad_weights(conv, places.in(0), places.in(1), places.out(0), places.work());
      },
      bytes_of_floats(depthwise_loops().gradient_space(*conv)));
}

}  // namespace plimsoll
