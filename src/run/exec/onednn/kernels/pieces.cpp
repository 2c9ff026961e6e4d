// concat and split: row-major, or along the channels with the channels in blocks, when no block has channels of two
// pieces: a sample's piece is one run of numbers then, just as in row-major memory.
#include "run/exec/loops/pieces.h"

#include "run/exec/onednn/kernels/kernels.h"

namespace plimsoll {
namespace {

// The numbers of one piece of this type in a row.
int64_t run_of(const Shape& shape, int axis) { return shape.elements(axis, shape.rank()).value(); }

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

Layout piece_layout(const TensorType& type, int64_t block) {
  return block == 1 ? row_major(type) : blocked_layout(type.shape, block);
}

}  // namespace

std::unique_ptr<Kernel> concat_kernel(Site& site) {
  const auto axis = axis_of(site, 1);
  const size_t count = site.operation.inputs.size();
  if (!axis || !plain(site.output(0)) || site.output(0).elements() == Count(0)) return site.decline("no plain numbers");
  Pieces pieces{site.output(0).shape.elements(0, *axis).value(), {}, element_size(site.output(0).dtype)};
  std::vector<int64_t> channels;
  for (size_t i = 0; i < count; ++i) {
    if (!site.has_input(i)) return site.decline("a piece is missing");
    pieces.sizes.push_back(run_of(site.input(i).shape, *axis));
    channels.push_back(site.input(i).shape[*axis]);
  }
  int64_t block = 1;
  for (size_t i = 0; i < count; ++i)
    block = std::max(block, block_for(site.layout(i), site.input(i).shape, *axis, channels));
  for (size_t i = 0; i < count; ++i) site.need(i, piece_layout(site.input(i), block));
  site.give(0, piece_layout(site.output(0), block));
  return loop_kernel([pieces](const Places& p) { join_pieces(pieces, p.inputs.data(), p.outputs[0]); });
}

std::unique_ptr<Kernel> split_kernel(Site& site) {
  const auto axis = axis_of(site, 0);
  if (!axis || !plain(site.input(0)) || site.input(0).elements() == Count(0)) return site.decline("no plain numbers");
  Pieces pieces{site.input(0).shape.elements(0, *axis).value(), {}, element_size(site.input(0).dtype)};
  std::vector<int64_t> channels;
  const auto types = infer(*site.operation.op, call_of(site.program, site.operation));
  if (!types.ok() || types->size() != site.operation.outputs.size()) return site.decline("pieces that nobody names");
  for (const TensorType& type : *types) {
    pieces.sizes.push_back(run_of(type.shape, *axis));
    channels.push_back(type.shape[*axis]);
  }
  const int64_t block = block_for(site.layout(0), site.input(0).shape, *axis, channels);
  site.need(0, piece_layout(site.input(0), block));
  if (site.has_input(1)) site.need_row_major(1);
  for (size_t i = 0; i < channels.size(); ++i)
    if (site.has_output(i)) site.give(i, piece_layout(site.output(i), block));
  return loop_kernel([pieces](const Places& p) { cut_pieces(pieces, p.inputs[0], p.outputs.data()); });
}

}  // namespace plimsoll
