#include "run/exec/onednn/kernels/tiled_conv_kernel.h"

#include "model/ops/convolution.h"

namespace plimsoll {
namespace {

bool has_step_1(const Convolution& conv) {
  const Window& window = conv.window;
  if (conv.groups != 1 || window.kernel.size() != 2) return false;
  for (size_t axis = 0; axis < 2; ++axis) {
    const bool usual = window.stride[axis] == 1 && window.dilation[axis] == 1 && window.pad_begin[axis] >= 0 &&
                       window.pad_begin[axis] < window.kernel[axis];
    if (!usual) return false;
  }
  return true;
}

}  // namespace

std::optional<TiledConv> tiled_conv(const Site& site, const Shape& x, const Shape& weights) {
  const int64_t block = tiled_conv_block();
  if (!site.all_f32() || block == 0 || x.rank() != 4) return std::nullopt;
  const auto conv = convolution(site.attributes(), x, weights);
  if (!conv.ok() || !has_step_1(*conv) || x[1] < block || weights[0] < block) return std::nullopt;
  TiledConv result;
  result.batch = x[0];
  result.in_channels = x[1];
  result.in_height = x[2];
  result.in_width = x[3];
  result.out_channels = weights[0];
  result.out_height = conv->output[2];
  result.out_width = conv->output[3];
  result.kernel_height = conv->window.kernel[0];
  result.kernel_width = conv->window.kernel[1];
  result.pad_top = conv->window.pad_begin[0];
  result.pad_left = conv->window.pad_begin[1];
  result.threads = site.engine.threads;
  return result;
}

Layout tiled_conv_layout(const Shape& shape) { return blocked_layout(shape, tiled_conv_block()); }

Layout tiled_conv_weights_layout(const Shape& shape) {
  using Tag = dnnl::memory::format_tag;
  return {dnnl::memory::desc(dims_of(shape), dnnl::memory::data_type::f32,
                             tiled_conv_block() == 16 ? Tag::OIhw16i16o : Tag::OIhw8i8o)};
}

void place_tiled_conv(Site& site) {
  site.all_row_major();
  site.need(0, tiled_conv_layout(site.input(0).shape));
  site.need(1, tiled_conv_weights_layout(site.input(1).shape));
  site.give(0, tiled_conv_layout(site.output(0).shape));
}

Bytes bytes_of_floats(int64_t count) { return Bytes(count * int64_t(sizeof(float))); }

int64_t whole_blocks(int64_t channels) {
  return (channels + tiled_conv_block() - 1) / tiled_conv_block() * tiled_conv_block();
}

}  // namespace plimsoll
