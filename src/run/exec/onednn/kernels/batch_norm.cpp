// Batch norm: in training with the batch's own statistics and its way back, in inference with the stored ones.
#include "run/exec/loops/batch_norm.h"

#include <cmath>

#include "model/ops/fused_activation.h"
#include "run/exec/onednn/kernels/kernels.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostLanes = 16;

std::optional<BatchNormShape> shape_of(const Layout& layout, const Shape& shape) {
  const auto blocks = channel_blocks(layout, shape);
  if (!blocks || blocks->block > kMostLanes) return std::nullopt;
  return BatchNormShape{blocks->batch, blocks->channels, blocks->places, blocks->block};
}

struct InferenceLayout {
  Layout layout;
  BatchNormShape shape;
};

// Blocks as they are; with the channels last every place is a row of one block that has them all.
InferenceLayout inference_layout(const Site& site) {
  const Shape& x = site.input(0).shape;
  if (is_channels_last(site.layout(0), x)) {
    const int64_t rows = x[0] * x.elements(2, x.rank()).value();
    return {site.layout(0), BatchNormShape{rows, x[1], 1, x[1]}};
  }
  const Layout layout = with_channel_blocks(site.layout(0), x);
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

// One group after another; a parameter's gradient is the sum of theirs, the later ones added up behind the workspace.
void backward_of_groups(const Groups& groups, BatchNormBackward a) {
  const int64_t channels = groups.one.channels;
  float *const dscale = a.dscale, *const dbias = a.dbias, *const more = a.work + groups.one.workspace();
  for (int64_t g = 0; g < groups.count; ++g) {
    batch_norm_backward(groups.one, a);
    for (int64_t c = 0; g > 0 && c < channels; ++c) {
      dscale[c] += more[c];
      dbias[c] += more[channels + c];
    }
    a.dy += groups.numbers;
    a.x += groups.numbers;
    a.dx += groups.numbers;
    a.mean += channels;
    a.inverse += channels;
    a.dscale = more;
    a.dbias = more + channels;
  }
}

Bytes floats(int64_t count) { return Bytes(count * int64_t(sizeof(float))); }

}  // namespace

// x, scale, bias, running mean, running variance → y, new mean, new variance, mean, inverse deviation
std::unique_ptr<Kernel> batch_norm_train_kernel(Site& site) {
  if (!site.all_f32()) return site.decline("not f32");
  const Layout layout = with_channel_blocks(site.layout(0), site.input(0).shape);
  const auto shape = shape_of(layout, site.input(0).shape);
  if (!shape) return site.decline("a layout without channels in blocks");
  site.all_row_major();
  site.need(0, layout);
  site.give(0, layout);
  const auto epsilon = float(site.attributes().number("epsilon", 1e-5)),
             momentum = float(site.attributes().number("momentum", 0.9));
  const auto bounds = bounds_of(site);
  if (!bounds) return site.decline("fused with something else");
  const bool keeps_zero = bounds->low <= 0 && bounds->high >= 0;  // what pads a block of channels is zero and stays so
  if (!keeps_zero && shape->lanes() != shape->channels) return site.decline("bounds that leave out zero");
  return loop_kernel(
      [groups = Groups(site, *shape), epsilon, momentum, bounds = *bounds](const Places& p) {
        BatchNormForward arrays{p.in(0),  p.in(1),  p.in(2), p.out(1), p.out(2), p.out(0),
                                p.out(3), p.out(4), epsilon, momentum, bounds,   p.work()};
        for (int64_t g = 0; g < groups.count; ++g) {
          batch_norm_forward(groups.one, arrays);
          arrays.x += groups.numbers;
          arrays.y += groups.numbers;
          arrays.mean += groups.one.channels;
          arrays.inverse += groups.one.channels;
        }
      },
      floats(shape->workspace()));
}

// dy, x, scale, mean, inverse deviation, bias → dx, dscale, dbias
std::unique_ptr<Kernel> batch_norm_grad_kernel(Site& site) {
  if (!site.all_f32()) return site.decline("not f32");
  const auto shape = backward_shape(site);
  if (!shape) return site.decline("a layout without channels in blocks");
  const Bounds all;
  const Bounds bounds{float(site.attributes().number("low", all.low)),
                      float(site.attributes().number("high", all.high))};
  return loop_kernel(
      [groups = Groups(site, *shape), bounds, bounded = site.has_input(5)](const Places& p) {
        backward_of_groups(groups, {p.in(0), p.in(1), p.in(2), p.in(3), p.in(4), p.out(0), p.out(1), p.out(2), p.work(),
                                    bounded ? p.in(5) : nullptr, bounds});
      },
      floats(shape->workspace() + 2 * shape->channels));
}

// x, scale, bias, mean, variance → y
std::unique_ptr<Kernel> batch_norm_kernel(Site& site) {
  if (!site.all_f32() || site.attributes().integer("training_mode", 0) != 0 || site.has_output(1))
    return site.decline("with the batch's own statistics outside a training step");
  const auto [layout, shape] = inference_layout(site);
  if (site.input(1).shape != Shape{shape.channels}) return site.decline("statistics of every position");
  site.all_row_major();
  site.need(0, layout);
  site.give(0, layout);
  const double epsilon = site.attributes().number("epsilon", 1e-5);
  Bounds bounds;
  if (site.operation.then) bounds.low = 0;
  return loop_kernel(
      [shape, epsilon, bounds](const Places& p) {
        float *factor = p.work(), *offset = factor + shape.lanes();
        for (int64_t c = 0; c < shape.lanes(); ++c) {
          const bool there = c < shape.channels;
          factor[c] = there ? float(p.in(1)[c] / std::sqrt(double(p.in(4)[c]) + epsilon)) : 0;
          offset[c] = there ? p.in(2)[c] - p.in(3)[c] * factor[c] : 0;
        }
        scale_channels(shape, p.in(0), factor, offset, bounds, p.out(0));
      },
      floats(2 * shape.lanes()));
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
