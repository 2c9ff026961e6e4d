// Layout: how the numbers of a value lie in memory, as oneDNN describes it. Numbers that oneDNN does not know (i64,
// bool) lie row-major and have no description. This and primitive.h are all that the rest sees of oneDNN's types.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>
#include <optional>

#include "model/ir/tensor.h"

namespace plimsoll {

using Dims = dnnl::memory::dims;

struct Layout {
  dnnl::memory::desc desc;

  bool operator==(const Layout& other) const { return desc == other.desc; }
  bool described() const { return desc.get_size() > 0; }
};

// Row-major numbers of a type.
Layout row_major(const TensorType& type);
Layout row_major(const Dims& dims);
bool is_row_major(const Layout& layout);

// The bytes of a value of that type in a layout, padding included.
Bytes bytes_of(const Layout& layout, const TensorType& type);

// A layout (batch, channels, spatial …) whose channels lie in blocks of `block` numbers, or plainly (block 1):
// numbers are ordered batch, block of channels, place, channel within its block.
struct ChannelBlocks {
  int64_t batch = 0, channels = 0, places = 0, block = 1;

  int64_t blocks() const { return (channels + block - 1) / block; }
  int64_t numbers() const { return batch * blocks() * block * places; }
  bool padded() const { return channels % block != 0; }
};
std::optional<ChannelBlocks> channel_blocks(const Layout& layout, const Shape& shape);

// (batch, channels, spatial …) with channels in blocks of 8 or 16, or row-major for 1.
Layout blocked_layout(const Shape& shape, int64_t block);

// (batch, spatial …, channels) in memory: what inference's convolutions like.
Layout channels_last(const Shape& shape);
bool is_channels_last(const Layout& layout, const Shape& shape);

// A layout of `shape` seen for another shape with the same axes: row-major, blocked or with the channels last.
// Row-major where it is none of these.
Layout same_order(const Layout& layout, const Shape& shape, const Shape& other);

// A layout whose channels lie in blocks: the given one if they do, else the nearest that kernels of our own know.
Layout with_channel_blocks(const Layout& layout, const Shape& shape);

// The same places for other numbers: what oneDNN remembers lies like what it computed.
Layout as_f32(Layout layout);

Dims dims_of(const Shape& shape);

}  // namespace plimsoll
