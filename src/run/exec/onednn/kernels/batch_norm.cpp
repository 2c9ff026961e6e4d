// Batch norm: in training with the batch's own statistics and its backward pass, in inference with the stored ones.
#include "run/exec/loops/batch_norm.h"

#include <algorithm>
#include <cmath>

#include "model/ops/batch_norm_pieces.h"
#include "model/ops/batch_norm_slice.h"
#include "model/ops/fused_activation.h"
#include "run/exec/onednn/kernels/kernel_makers.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostLanes = 16;
constexpr size_t kStatistics = 4;  // that a norm in training gives beside its result

std::optional<BatchNormShape> shape_of(const Layout& layout, const Shape& shape) {
  const auto blocks = channel_blocks(layout, shape);
  if (!blocks || blocks->block > kMostLanes) return std::nullopt;
  return BatchNormShape{blocks->batch, blocks->channels, blocks->places, blocks->block};
}

// Tensors that have the channels of one, one after the other.
class NormPieces {
 public:
  NormPieces(Site& site, size_t (*input)(size_t), size_t count) : site_(site), input_(input), count_(count) {}

  // Blocks of channels as some piece has them, if every piece is made of whole ones.
  int64_t block() const {
    int64_t block = 1;
    for (size_t k = 0; k < count_; ++k)
      if (const auto blocks = channel_blocks(site_.layout(input_(k)), shape(k)); blocks && blocks->block <= kMostLanes)
        block = std::max(block, blocks->block);
    for (size_t k = 0; k < count_; ++k)
      if (count_ > 1 && shape(k)[1] % block != 0) return 1;
    return block;
  }

  void need(int64_t block, size_t behind = 0) const {
    for (size_t k = 0; k < count_; ++k)
      if (site_.has_input(input_(k) + behind)) site_.need(input_(k) + behind, blocked_layout(shape(k), block));
  }

  // Of every block of the whole, where array k is `array(k)`.
  template <class F>
  std::vector<BlockPlace> places(int64_t block, F&& array) const {
    std::vector<BlockPlace> result;
    for (size_t k = 0; k < count_; ++k) {
      const BatchNormShape piece = *shape_of(blocked_layout(shape(k), block), shape(k));
      for (int64_t i = 0; i < piece.blocks(); ++i)
        result.push_back({array(k), i * piece.piece(), piece.blocks() * piece.piece()});
    }
    return result;
  }
  std::vector<BlockPlace> places(int64_t block) const { return places(block, input_); }

  const Shape& shape(size_t k) const { return site_.input(input_(k)).shape; }
  size_t count() const { return count_; }
  int64_t channels() const {
    int64_t sum = 0;
    for (size_t k = 0; k < count_; ++k) sum += shape(k)[1];
    return sum;
  }

 private:
  Site& site_;
  size_t (*input_)(size_t);
  size_t count_;
};

// How x and y of a norm lie.
struct NormLayout {
  Layout layout;  // of y, and of x where it is in one piece
  BatchNormShape shape;
  std::vector<BlockPlace> pieces = {};  // of x, where there are several
  std::vector<BlockPlace> slice = {};   // of y, where it is a part of a whole

  InBlocks<const float> x(const Places& p) const {
    return pieces.empty() ? InBlocks<const float>(p.in(0)) : InBlocks<const float>(p.inputs.data(), pieces);
  }
  InBlocks<float> y(const Places& p) const {
    return slice.empty() ? InBlocks<float>(p.out(0)) : InBlocks<float>(p.outputs.data(), slice);
  }
};

// Where the blocks of some channels of a whole are, in the first array.
std::vector<BlockPlace> slice_places(const Shape& whole, int64_t block, int64_t first, int64_t channels) {
  const BatchNormShape all = *shape_of(blocked_layout(whole, block), whole);
  std::vector<BlockPlace> result;
  for (int64_t at = first; at < first + channels; at += block)
    result.push_back({0, at / block * all.piece(), all.blocks() * all.piece()});
  return result;
}

bool in_pieces(const Site& site) { return site.operation.inputs.size() > norm_piece(1); }

NormLayout layout_in_pieces(Site& site) {
  const NormPieces pieces(site, norm_piece, norm_pieces_of(site.operation.inputs.size()));
  const int64_t block = pieces.block();
  const Layout layout = blocked_layout(site.output(0).shape, block);
  site.all_row_major();
  pieces.need(block);
  site.give(0, layout);
  return {layout, *shape_of(layout, site.output(0).shape), pieces.places(block)};
}

// Blocks as the whole has them, or as x has them where it is the first slice.
NormLayout layout_of_slice(Site& site) {
  constexpr size_t kWhole = 5;
  const Shape &x = site.input(0).shape, &whole = site.output(0).shape;
  const auto blocks =
      site.has_input(kWhole) ? channel_blocks(site.layout(kWhole), whole) : channel_blocks(site.layout(0), x);
  const bool fit = blocks && blocks->block <= kMostLanes && site.attributes().integer("grain", 1) % blocks->block == 0;
  const int64_t block = fit ? blocks->block : 1;
  const Layout of_x = blocked_layout(x, block), of_whole = blocked_layout(whole, block);
  site.all_row_major();
  site.need(0, of_x);
  if (site.has_input(kWhole)) site.need(kWhole, of_whole);
  site.give(0, of_whole);
  const int64_t first = site.attributes().integer("first", 0);
  return {of_x, *shape_of(of_x, x), {}, slice_places(whole, block, first, x[1])};
}

std::optional<NormLayout> training_layout(Site& site) {
  if (site.operation.op == &batch_norm_slice_train()) return layout_of_slice(site);
  if (in_pieces(site)) return layout_in_pieces(site);
  const Layout layout = with_channel_blocks(site.layout(0), site.input(0).shape);
  const auto shape = shape_of(layout, site.input(0).shape);
  if (!shape) return std::nullopt;
  site.all_row_major();
  site.need(0, layout);
  site.give(0, layout);
  return NormLayout{layout, *shape};
}

// Blocks as they are; with the channels last every place is a row of one block that has them all.
NormLayout inference_layout(Site& site) {
  if (in_pieces(site)) return layout_in_pieces(site);
  const Shape& x = site.input(0).shape;
  const bool last = is_channels_last(site.layout(0), x);
  const Layout layout = last ? site.layout(0) : with_channel_blocks(site.layout(0), x);
  site.all_row_major();
  site.need(0, layout);
  site.give(0, layout);
  if (last) return {layout, BatchNormShape{x[0] * x.elements(2, x.rank()).value(), x[1], 1, x[1]}};
  const auto blocks = channel_blocks(layout, x);
  return {layout, BatchNormShape{blocks->batch, blocks->channels, blocks->places, blocks->block}};
}

// dy, x → dx in blocks of channels, everything else row-major.
std::optional<BatchNormShape> backward_shape(Site& site) {
  const Layout layout = with_channel_blocks(shared_layout(site, 2), site.input(0).shape);
  const auto shape = shape_of(layout, site.input(0).shape);
  if (!shape) return std::nullopt;
  site.all_row_major();
  site.need(0, layout);
  site.need(1, layout);
  site.give(0, layout);
  return shape;
}

// By a ReLU or a clip that was fused; nullopt where something else was.
std::optional<Bounds> bounds_of(const Site& site) {
  Bounds bounds;
  if (site.operation.then) bounds.low = 0;
  const auto activation = fused_activation(site.attributes());
  if (!activation.ok()) return std::nullopt;
  if (activation->name.empty()) return bounds;
  if (activation->name == "relu") return Bounds{0, bounds.high};
  if (activation->name != "clip" || site.operation.then) return std::nullopt;
  return Bounds{float(activation->alpha), float(activation->beta)};
}

// Samples that have statistics of their own: the groups of ghost batch norm, one after another.
struct Groups {
  BatchNormShape one;
  int64_t count, numbers;  // numbers: of one group, padding included

  Groups(const Site& site, const BatchNormShape& all) : one(all) {
    const int64_t ghost = site.attributes().integer("ghost", 0);
    if (ghost > 0) one.batch = ghost;
    count = one.batch > 0 ? all.batch / one.batch : 1;
    numbers = one.batch * one.lanes() * one.places;
  }
};

// One group after another; a parameter's gradient is the sum of theirs, the later ones added up after the workspace.
void backward_of_groups(const Groups& groups, const Places& p, const float* bias, const Bounds& bounds) {
  const int64_t channels = groups.one.channels;
  float* const more = p.work() + groups.one.workspace();
  for (int64_t g = 0; g < groups.count; ++g) {
    const int64_t at = g * groups.numbers, statistics = g * channels;
    batch_norm_backward(groups.one,
                        {p.in(0) + at, p.in(1) + at, p.in(2), p.in(3) + statistics, p.in(4) + statistics, p.out(0) + at,
                         g == 0 ? p.out(1) : more, g == 0 ? p.out(2) : more + channels, p.work(), bias, bounds});
    for (int64_t c = 0; g > 0 && c < channels; ++c) {
      p.out(1)[c] += more[c];
      p.out(2)[c] += more[channels + c];
    }
  }
}

Bytes floats(int64_t count) { return Bytes(count * int64_t(sizeof(float))); }

// Where the statistics of a norm go. One that runs a second time, for the backward pass, has nowhere to leave them:
// they were taken the first time. They go after the workspace then.
float* statistics_of(const Places& p, size_t output, const Groups& groups, int64_t workspace) {
  if (p.outputs.size() > output && p.outputs[output]) return p.out(output);
  return p.work() + workspace + int64_t(output - 1) * groups.count * groups.one.channels;
}

}  // namespace

// x, scale, bias, running mean, running variance, more of x … → y, new mean, new variance, mean, inverse deviation
std::unique_ptr<Kernel> batch_norm_train_kernel(Site& site) {
  if (!site.all_f32()) return site.decline("not f32");
  const auto lies = training_layout(site);
  if (!lies) return site.decline("a layout without channels in blocks");
  const BatchNormShape& shape = lies->shape;
  const auto epsilon = float(site.attributes().number("epsilon", 1e-5)),
             momentum = float(site.attributes().number("momentum", 0.9));
  const auto bounds = bounds_of(site);
  if (!bounds) return site.decline("fused with something else");
  const bool keeps_zero = bounds->low <= 0 && bounds->high >= 0;  // what pads a block of channels is zero and stays so
  if (!keeps_zero && shape.lanes() != shape.channels) return site.decline("bounds that leave out zero");
  const Groups groups(site, shape);
  bool all_there = true;
  for (size_t i = 1; i <= kStatistics; ++i) all_there = all_there && site.has_output(i);
  return loop_kernel(
      [lies = *lies, groups, epsilon, momentum, bounds = *bounds](const Places& p) {
        float* into[kStatistics];
        for (size_t i = 0; i < kStatistics; ++i) into[i] = statistics_of(p, i + 1, groups, lies.shape.workspace());
        if (groups.count == 1)
          return batch_norm_forward(lies.shape, {lies.x(p), p.in(1), p.in(2), into[0], into[1], lies.y(p), into[2],
                                                 into[3], epsilon, momentum, bounds, p.work()});
        for (int64_t g = 0; g < groups.count; ++g) {
          const int64_t at = g * groups.numbers, statistics = g * groups.one.channels;
          batch_norm_forward(groups.one,
                             {p.in(0) + at, p.in(1), p.in(2), into[0], into[1], p.out(0) + at, into[2] + statistics,
                              into[3] + statistics, epsilon, momentum, bounds, p.work()});
        }
      },
      floats(shape.workspace() + (all_there ? 0 : int64_t(kStatistics) * groups.count * shape.channels)));
}

// dy, x, scale, mean, inverse deviation, bias → dx, dscale, dbias
std::unique_ptr<Kernel> batch_norm_grad_kernel(Site& site) {
  if (!site.all_f32()) return site.decline("not f32");
  const auto shape = backward_shape(site);
  if (!shape) return site.decline("a layout without channels in blocks");
  const Bounds all;
  const Bounds bounds{float(site.attributes().number("low", all.low)),
                      float(site.attributes().number("high", all.high))};
  return loop_kernel([groups = Groups(site, *shape), bounds, bounded = site.has_input(5)](
                         const Places& p) { backward_of_groups(groups, p, bounded ? p.in(5) : nullptr, bounds); },
                     floats(shape->workspace() + 2 * shape->channels));
}

// dy, scale, mean, inverse deviation, bias, each piece of x with what its gradient is added to
// → dscale, dbias, dx of each piece
std::unique_ptr<Kernel> batch_norm_pieces_grad_kernel(Site& site) {
  if (!site.all_f32()) return site.decline("not f32");
  const NormPieces pieces(site, norm_grad_piece, norm_grad_pieces_of(site.operation.inputs.size()));
  Shape x = site.input(0).shape;
  x[1] = pieces.channels();
  const int64_t first = site.attributes().integer("first", 0);
  int64_t block = pieces.block();
  if (x != site.input(0).shape && (first % block != 0 || x[1] % block != 0)) block = 1;
  const BatchNormShape shape = *shape_of(blocked_layout(x, block), x);
  site.all_row_major();
  site.need(0, blocked_layout(site.input(0).shape, block));
  pieces.need(block);
  pieces.need(block, 1);
  for (size_t k = 0; k < pieces.count(); ++k)
    if (site.has_output(2 + k)) site.give(2 + k, blocked_layout(pieces.shape(k), block));
  const Bounds all;
  const Bounds bounds{float(site.attributes().number("low", all.low)),
                      float(site.attributes().number("high", all.high))};
  return loop_kernel(
      [shape, bounds, bounded = site.has_input(4), dy = slice_places(site.input(0).shape, block, first, x[1]),
       x = pieces.places(block), sum = pieces.places(block, [](size_t k) { return norm_grad_piece(k) + 1; }),
       dx = pieces.places(block, [](size_t k) { return 2 + k; })](const Places& p) {
        batch_norm_backward(shape, {{p.inputs.data(), dy},
                                    {p.inputs.data(), x},
                                    p.in(1),
                                    p.in(2),
                                    p.in(3),
                                    {p.outputs.data(), dx},
                                    p.out(0),
                                    p.out(1),
                                    p.work(),
                                    bounded ? p.in(4) : nullptr,
                                    bounds,
                                    {p.inputs.data(), sum}});
      },
      floats(shape.workspace()));
}

// x, scale, bias, mean, variance, more of x … → y
std::unique_ptr<Kernel> batch_norm_kernel(Site& site) {
  if (!site.all_f32() || site.attributes().integer("training_mode", 0) != 0 || site.has_output(1))
    return site.decline("with the batch's own statistics outside a training step");
  const NormLayout lies = inference_layout(site);
  if (site.input(1).shape != Shape{lies.shape.channels}) return site.decline("statistics of every position");
  const double epsilon = site.attributes().number("epsilon", 1e-5);
  Bounds bounds;
  if (site.operation.then) bounds.low = 0;
  return loop_kernel(
      [lies, epsilon, bounds](const Places& p) {
        const BatchNormShape& shape = lies.shape;
        float *factor = p.work(), *offset = factor + shape.lanes();
        for (int64_t c = 0; c < shape.lanes(); ++c) {
          const bool there = c < shape.channels;
          factor[c] = there ? float(p.in(1)[c] / std::sqrt(double(p.in(4)[c]) + epsilon)) : 0;
          offset[c] = there ? p.in(2)[c] - p.in(3)[c] * factor[c] : 0;
        }
        scale_channels(shape, lies.x(p), factor, offset, bounds, p.out(0));
      },
      floats(2 * lies.shape.lanes()));
}

// dy, x, scale, stored mean, stored variance → dx, dscale, dbias
std::unique_ptr<Kernel> batch_norm_grad_stored_kernel(Site& site) {
  if (!site.all_f32()) return site.decline("not f32");
  const auto shape = backward_shape(site);
  if (!shape) return site.decline("a layout without channels in blocks");
  const double epsilon = site.attributes().number("epsilon", 1e-5);
  return loop_kernel(
      [shape = *shape, epsilon](const Places& p) {
        batch_norm_backward_stored(
            shape, {p.in(0), p.in(1), p.in(2), p.in(3), nullptr, p.out(0), p.out(1), p.out(2), p.work()}, p.in(4),
            epsilon);
      },
      floats(shape->workspace()));
}

}  // namespace plimsoll
