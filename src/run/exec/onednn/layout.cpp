#include "run/exec/onednn/layout.h"

namespace plimsoll {
namespace {

using Tag = dnnl::memory::format_tag;
constexpr auto kF32 = dnnl::memory::data_type::f32;
constexpr int kMostAxes = 12;  // that oneDNN describes

bool has_layouts(const TensorType& type) {
  return type.dtype == DType::f32 && type.shape.rank() <= kMostAxes && type.elements() > Count(0);
}

Tag blocked_tag(int rank, int64_t block) {
  const bool wide = block == 16;
  if (rank == 3) return wide ? Tag::nCw16c : Tag::nCw8c;
  if (rank == 4) return wide ? Tag::nChw16c : Tag::nChw8c;
  return wide ? Tag::nCdhw16c : Tag::nCdhw8c;
}

int64_t count_of(const Dims& dims) {
  int64_t count = 1;
  for (const int64_t size : dims) count *= size;
  return count;
}

bool is_blocked(const Layout& layout, int64_t block) {
  const auto& blocks = layout.desc.data.format_desc.blocking;
  if (blocks.inner_nblks != 1 || blocks.inner_idxs[0] != 1 || blocks.inner_blks[0] != block) return false;
  const Dims dims = layout.desc.dims();
  return layout.desc == dnnl::memory::desc(dims, kF32, blocked_tag(int(dims.size()), block));
}

}  // namespace

Dims dims_of(const Shape& shape) { return {shape.begin(), shape.end()}; }

Layout row_major(const Dims& dims) {
  Dims strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * std::max<int64_t>(dims[i], 1);
  return {dnnl::memory::desc(dims, kF32, strides)};
}

Layout row_major(const TensorType& type) {
  if (!has_layouts(type)) return {};
  return row_major(type.shape.rank() == 0 ? Dims{1} : dims_of(type.shape));
}

// Blocks of channels around a single place are the channels in a row.
bool is_row_major(const Layout& layout) {
  if (!layout.described()) return true;
  const Dims dims = layout.desc.dims();
  if (layout == row_major(dims)) return true;
  if (dims.size() < 3 || dims.size() > 5 || int64_t(layout.desc.get_size()) != count_of(dims) * int64_t(sizeof(float)))
    return false;
  if (count_of(dims) != dims[0] * dims[1]) return false;
  return is_blocked(layout, 16) || is_blocked(layout, 8);
}

Bytes bytes_of(const Layout& layout, const TensorType& type) {
  return layout.described() ? Bytes(int64_t(layout.desc.get_size())) : type.bytes();
}

std::optional<ChannelBlocks> channel_blocks(const Layout& layout, const Shape& shape) {
  if (!layout.described() || shape.rank() < 2 || layout.desc.dims() != dims_of(shape)) return std::nullopt;
  ChannelBlocks result{shape[0], shape[1], shape.elements(2, shape.rank()).value(), 1};
  if (layout == row_major(dims_of(shape))) return result;
  if (shape.rank() < 3 || shape.rank() > 5) return std::nullopt;
  for (const int64_t block : {16, 8}) {
    if (!is_blocked(layout, block)) continue;
    result.block = block;
    return result;
  }
  return std::nullopt;
}

Layout blocked_layout(const Shape& shape, int64_t block) {
  if (block == 1) return row_major(dims_of(shape));
  return {dnnl::memory::desc(dims_of(shape), kF32, blocked_tag(shape.rank(), block))};
}

Layout channels_last(const Shape& shape) {
  const Dims dims = dims_of(shape);
  Dims strides(dims.size(), 1);
  int64_t step = shape[1];
  for (size_t i = dims.size(); i-- > 2; step *= dims[i]) strides[i] = step;
  strides[0] = step;
  return {dnnl::memory::desc(dims, kF32, strides)};
}

bool is_channels_last(const Layout& layout, const Shape& shape) {
  return layout.described() && shape.rank() >= 3 && layout.desc.dims() == dims_of(shape) &&
         layout == channels_last(shape);
}

Layout same_order(const Layout& layout, const Shape& shape, const Shape& other) {
  if (const auto blocks = channel_blocks(layout, shape)) return blocked_layout(other, blocks->block);
  if (is_channels_last(layout, shape)) return channels_last(other);
  return row_major(dims_of(other));
}

Layout with_channel_blocks(const Layout& layout, const Shape& shape) {
  if (channel_blocks(layout, shape)) return layout;
  return blocked_layout(shape, shape.rank() >= 3 && shape.rank() <= 5 ? 16 : 1);
}

Layout as_f32(Layout layout) {
  layout.desc.data.data_type = dnnl_f32;
  return layout;
}

}  // namespace plimsoll
