// Sums over axes (of biases and of whatever was broadcast), and operations with an operand that is broadcast.
#include "run/exec/loops/sums.h"

#include "run/exec/loops/channels.h"
#include "run/exec/loops/strided.h"
#include "run/exec/onednn/kernels/kernel_makers.h"

namespace plimsoll {
namespace {

constexpr int64_t kFloat = sizeof(float);

// What of (batch, channels, spatial …) remains: each channel, or each channel of each sample.
enum class Kept { channels, samples_and_channels };

std::optional<Kept> kept_of(const Shape& whole, const Shape& part) {
  const auto axes = kept_axes(whole, part);
  if (!axes || whole.rank() < 3) return std::nullopt;
  const int64_t places = whole.elements(2, whole.rank()).value();
  if (axes->kept == whole[1] && axes->before == whole[0] && axes->after == places) return Kept::channels;
  if (axes->kept == whole[0] * whole[1] && axes->before == 1 && axes->after == places)
    return Kept::samples_and_channels;
  return std::nullopt;
}

// The shape that the sum has when no axis is dropped: sum_to and reduce_sum drop or keep the axes of size 1.
std::optional<Shape> summed_shape(const Site& site) {
  if (site.operation.op->name != "reduce_sum") return site.output(0).shape;
  const Shape& x = site.input(0).shape;
  std::vector<int64_t> axes = site.attributes().integers("axes");
  if (site.has_input(1)) {
    const auto& constant = site.program.value(site.operation.inputs[1]).constant;
    if (!constant) return std::nullopt;
    axes = constant->integers();
  }
  if (axes.empty() && site.attributes().integer("noop_with_empty_axes", 0) != 0) return x;
  std::vector<int64_t> dims(x.begin(), x.end());
  if (axes.empty()) dims.assign(dims.size(), 1);
  for (const int64_t axis : axes) dims[size_t(axis < 0 ? axis + x.rank() : axis)] = 1;
  return Shape(std::move(dims));
}

// Axes that are apart: what is kept and what is summed, each with its stride in the whole.
std::unique_ptr<Kernel> sum_apart(Site& site, const Shape& whole, const Shape& part) {
  const auto strides = whole.strides();
  const int lead = whole.rank() - part.rank();
  StridedMove kept, summed;
  for (int axis = 0; axis < whole.rank(); ++axis) {
    const bool stays = axis >= lead && part[axis - lead] == whole[axis];
    (stays ? kept : summed).axes.push_back({whole[axis], strides[size_t(axis)], 0});
  }
  site.need_row_major(0);
  site.give_row_major(0);
  return loop_kernel([kept = merged(std::move(kept)), summed = merged(std::move(summed))](const Places& p) {
    sum_strided(kept.axes, summed.axes, p.in(0), p.out(0));
  });
}

std::unique_ptr<Kernel> sum_blocks(Site& site, const ChannelBlocks& blocks, Kept kept) {
  site.need(0, site.layout(0));
  site.give_row_major(0);
  const int64_t lanes = blocks.blocks() * blocks.block;
  const bool over_batch = kept == Kept::channels;
  return loop_kernel(
      [blocks, over_batch](const Places& p) {
        sum_channels({blocks.batch, blocks.channels, blocks.places, blocks.block}, p.in(0), over_batch, p.out(0),
                     p.work());
      },
      Bytes(blocks.batch * lanes * kFloat));
}

}  // namespace

std::unique_ptr<Kernel> sum_kernel(Site& site) {
  if (site.input(0).dtype != DType::f32 || site.input(0).elements() == Count(0)) return site.decline("not f32");
  const auto part = summed_shape(site);
  if (!part) return site.decline("its axes are only known at run time");
  const Shape& whole = site.input(0).shape;
  const auto kept = kept_of(whole, *part);
  const auto blocks = channel_blocks(site.layout(0), whole);
  if (blocks && blocks->block > 1 && kept) return sum_blocks(site, *blocks, *kept);
  const auto axes = kept_axes(whole, *part);
  if (!axes) return sum_apart(site, whole, *part);
  site.need_row_major(0);
  site.give_row_major(0);
  const int64_t partial = axes->after > 1 && axes->before > 1 ? axes->before * axes->kept : 0;
  return loop_kernel([axes = *axes](const Places& p) { sum_around(axes, p.in(0), p.out(0), p.work()); },
                     Bytes(partial * kFloat));
}

namespace {

std::optional<Broadcast> broadcast_of(std::string_view op, bool part_is_first) {
  if (op == "add") return Broadcast::add;
  if (op == "mul") return Broadcast::multiply;
  if (op == "sub") return part_is_first ? Broadcast::subtract_from : Broadcast::subtract;
  if (op == "div" && !part_is_first) return Broadcast::divide;
  return std::nullopt;
}

std::optional<Pairwise> pairwise_of(std::string_view op) {
  if (op == "add") return Pairwise::add;
  if (op == "sub") return Pairwise::subtract;
  if (op == "mul") return Pairwise::multiply;
  if (op == "div") return Pairwise::divide;
  return std::nullopt;
}

}  // namespace

std::vector<int64_t> repeated_strides(const Shape& whole, const Shape& part) {
  const auto own = part.strides();
  std::vector<int64_t> strides(size_t(whole.rank()), 0);
  const int lead = whole.rank() - part.rank();
  for (int axis = lead; axis < whole.rank(); ++axis)
    if (part[axis - lead] != 1) strides[size_t(axis)] = own[size_t(axis - lead)];
  return strides;
}

// Any two operands, by their strides.
std::unique_ptr<Kernel> pairwise_kernel(Site& site) {
  const auto how = pairwise_of(site.operation.op->name);
  const Shape& whole = site.output(0).shape;
  if (!how || !site.all_f32() || site.operation.then || whole.elements() == Count(0))
    return site.decline("fused, or not f32");
  const auto a = repeated_strides(whole, site.input(0).shape), b = repeated_strides(whole, site.input(1).shape);
  StridedMove move;
  for (size_t axis = 0; axis < a.size(); ++axis) move.axes.push_back({whole[int(axis)], a[axis], b[axis]});
  site.all_row_major();
  return loop_kernel([axes = merged(std::move(move)).axes, how = *how](const Places& p) {
    combine_strided(axes, how, p.in(0), p.in(1), p.out(0));
  });
}

std::unique_ptr<Kernel> broadcast_kernel(Site& site) {
  if (!site.all_f32() || site.operation.then) return site.decline("fused, or not f32");
  const Shape& shape = site.output(0).shape;
  const size_t whole = site.input(0).shape == shape ? 0 : 1, part = 1 - whole;
  if (site.input(whole).shape != shape) return site.decline("both operands are broadcast");
  const auto how = broadcast_of(site.operation.op->name, part == 0);
  const auto axes = kept_axes(shape, site.input(part).shape);
  if (!how || !axes) return site.decline("broadcast over axes that are apart");
  const auto kept = kept_of(shape, site.input(part).shape);
  const auto blocks = channel_blocks(site.layout(whole), shape);
  site.need_row_major(part);
  const bool scales = *how == Broadcast::multiply || *how == Broadcast::add;
  if (blocks && blocks->block > 1 && kept && scales) {
    site.need(whole, site.layout(whole));
    site.give(0, site.layout(whole));
    const ChannelRows rows{blocks->batch, blocks->channels, blocks->places, blocks->block};
    const bool each = *kept == Kept::samples_and_channels, product = *how == Broadcast::multiply;
    return loop_kernel([rows, each, product, whole, part](const Places& p) {
      apply_channels(rows, p.in(whole), p.in(part), each, product, p.out(0));
    });
  }
  if (kept && is_channels_last(site.layout(whole), shape)) {
    site.need(whole, site.layout(whole));
    site.give(0, site.layout(whole));
    const int64_t places = shape.elements(2, shape.rank()).value(), channels = shape[1];
    const bool each = *kept == Kept::samples_and_channels;
    const KeptAxes rows{each ? places : shape[0] * places, channels, 1};
    return loop_kernel([rows, how = *how, samples = each ? shape[0] : 1, whole, part](const Places& p) {
      const int64_t sample = rows.before * rows.kept;
      for (int64_t n = 0; n < samples; ++n)
        apply_around(rows, how, p.in(whole) + n * sample, p.in(part) + n * rows.kept, p.out(0) + n * sample);
    });
  }
  site.need_row_major(whole);
  site.give_row_major(0);
  return loop_kernel([axes = *axes, how = *how, whole, part](const Places& p) {
    apply_around(axes, how, p.in(whole), p.in(part), p.out(0));
  });
}

}  // namespace plimsoll
