// concat and split: row-major, or along the channels with the channels in blocks, when no block has channels of two
// pieces: a sample's piece is one run of numbers then, just as in row-major memory.
#include "run/exec/loops/pieces.h"

#include "run/exec/onednn/kernels/kernel_makers.h"

namespace plimsoll {
namespace {

std::optional<int> axis_of(const Site& site, int64_t usual) {
  const auto axis = normalise_axis(site.attributes().integer("axis", usual), site.input(0).shape.rank());
  return axis.ok() ? std::optional(*axis) : std::nullopt;
}

// Numbers that take whole bytes, and that lie in our memory as one run.
bool plain(const TensorType& type) { return info(type.dtype).bits >= 8 && info(type.dtype).bits % 8 == 0; }

// The block of channels that a layout has, if every piece is made of whole ones.
int64_t block_for(const Layout& layout, const Shape& shape, int axis, const std::vector<int64_t>& channels) {
  const auto blocks = channel_blocks(layout, shape);
  if (!blocks || axis != 1) return 1;
  for (const int64_t count : channels)
    if (count % blocks->block != 0) return 1;
  return blocks->block;
}

// How all pieces and the whole lie, and the axis that they are joined along in memory.
struct Order {
  int64_t block = 1;
  bool channels_last = false;

  Layout of(const TensorType& type) const {
    if (channels_last) return plimsoll::channels_last(type.shape);
    return block == 1 ? row_major(type) : blocked_layout(type.shape, block);
  }
  // With the channels last every place is a row.
  int64_t rows(const Shape& shape, int axis) const {
    return channels_last ? shape[0] * shape.elements(2, shape.rank()).value() : shape.elements(0, axis).value();
  }
  int64_t run(const Shape& shape, int axis) const {
    return channels_last ? shape[1] : shape.elements(axis, shape.rank()).value();
  }
};

}  // namespace

std::unique_ptr<Kernel> concat_kernel(Site& site) {
  const auto axis = axis_of(site, 1);
  const size_t count = site.operation.inputs.size();
  if (!axis || !plain(site.output(0)) || site.output(0).elements() == Count(0))
    return site.decline("not numbers in a plain layout");
  std::vector<int64_t> channels;
  for (size_t i = 0; i < count; ++i) {
    if (!site.has_input(i)) return site.decline("a piece is missing");
    channels.push_back(site.input(i).shape[*axis]);
  }
  Order order;
  for (size_t i = 0; i < count; ++i) {
    order.block = std::max(order.block, block_for(site.layout(i), site.input(i).shape, *axis, channels));
    order.channels_last = order.channels_last || (*axis == 1 && is_channels_last(site.layout(i), site.input(i).shape));
  }
  Pieces pieces{order.rows(site.output(0).shape, *axis), {}, element_size(site.output(0).dtype)};
  for (size_t i = 0; i < count; ++i) {
    pieces.sizes.push_back(order.run(site.input(i).shape, *axis));
    site.need(i, order.of(site.input(i)));
  }
  site.give(0, order.of(site.output(0)));
  return loop_kernel([pieces](const Places& p) { join_pieces(pieces, p.inputs.data(), p.outputs[0]); });
}

std::unique_ptr<Kernel> split_kernel(Site& site) {
  const auto axis = axis_of(site, 0);
  if (!axis || !plain(site.input(0)) || site.input(0).elements() == Count(0))
    return site.decline("not numbers in a plain layout");
  const auto types = infer(*site.operation.op, call_of(site.program, site.operation));
  if (!types.ok() || types->size() != site.operation.outputs.size()) return site.decline("more pieces than outputs");
  std::vector<int64_t> channels;
  for (const TensorType& type : *types) channels.push_back(type.shape[*axis]);
  const Order order{block_for(site.layout(0), site.input(0).shape, *axis, channels),
                    *axis == 1 && is_channels_last(site.layout(0), site.input(0).shape)};
  Pieces pieces{order.rows(site.input(0).shape, *axis), {}, element_size(site.input(0).dtype)};
  for (const TensorType& type : *types) pieces.sizes.push_back(order.run(type.shape, *axis));
  site.need(0, order.of(site.input(0)));
  if (site.has_input(1)) site.need_row_major(1);
  for (size_t i = 0; i < channels.size(); ++i)
    if (site.has_output(i)) site.give(i, order.of(site.output(i)));
  return loop_kernel([pieces](const Places& p) { cut_pieces(pieces, p.inputs[0], p.outputs.data()); });
}

}  // namespace plimsoll
