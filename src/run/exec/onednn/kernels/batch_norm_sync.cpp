// Batch norm with the statistics of several workers, in halves around an all_reduce (model/ops/batch_norm_sync.h).
#include "run/exec/loops/batch_norm.h"
#include "run/exec/onednn/kernels/kernel_makers.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostLanes = 16;

bool is_f32(const Site& site, size_t inputs) {
  for (size_t i = 0; i < inputs; ++i)
    if (site.input(i).dtype != DType::f32) return false;
  return true;
}

// The first inputs in blocks of channels, all else row-major.
std::optional<BatchNormShape> arrange(Site& site, const Layout& like, size_t inputs) {
  const Shape& x = site.input(0).shape;
  const Layout layout = with_channel_blocks(like, x);
  const auto blocks = channel_blocks(layout, x);
  if (!blocks || blocks->block > kMostLanes) return std::nullopt;
  site.all_row_major();
  for (size_t i = 0; i < inputs; ++i) site.need(i, layout);
  if (site.output(0).shape == x) site.give(0, layout);
  return BatchNormShape{blocks->batch, blocks->channels, blocks->places, blocks->block};
}

Bytes workspace(const BatchNormShape& shape) { return Bytes(shape.workspace() * int64_t(sizeof(float))); }

double count_of(const Site& site, const BatchNormShape& shape) {
  return double(shape.batch * shape.places) * double(site.attributes().integer("workers", 1));
}

}  // namespace

// x → sums
std::unique_ptr<Kernel> batch_norm_sums_kernel(Site& site) {
  if (!is_f32(site, 1)) return site.decline("not f32");
  const auto shape = arrange(site, site.layout(0), 1);
  if (!shape) return site.decline("a layout without channels in blocks");
  return loop_kernel([shape = *shape](const Places& p) { batch_norm_sums(shape, p.in(0), p.work(), p.out<double>(0)); },
                     workspace(*shape));
}

// x, scale, bias, running mean, running variance, sums → y, new mean, new variance, mean, inverse deviation
std::unique_ptr<Kernel> batch_norm_train_sync_kernel(Site& site) {
  if (!is_f32(site, 5) || site.operation.then) return site.decline("not f32");
  const auto shape = arrange(site, site.layout(0), 1);
  if (!shape) return site.decline("a layout without channels in blocks");
  const auto epsilon = float(site.attributes().number("epsilon", 1e-5)),
             momentum = float(site.attributes().number("momentum", 0.9));
  return loop_kernel(
      [shape = *shape, epsilon, momentum, count = count_of(site, *shape)](const Places& p) {
        batch_norm_forward_with(shape,
                                {p.in(0), p.in(1), p.in(2), p.out(1), p.out(2), p.out(0), p.out(3), p.out(4), epsilon,
                                 momentum, Bounds{}, p.work()},
                                p.in<double>(5), count);
      },
      workspace(*shape));
}

// dy, x, mean, inverse deviation → sums, dscale, dbias
std::unique_ptr<Kernel> batch_norm_grad_sums_kernel(Site& site) {
  if (!is_f32(site, 4)) return site.decline("not f32");
  const auto shape = arrange(site, shared_layout(site, 2), 2);
  if (!shape) return site.decline("a layout without channels in blocks");
  return loop_kernel(
      [shape = *shape](const Places& p) {
        batch_norm_gradient_sums(shape,
                                 {p.in(0), p.in(1), nullptr, p.in(2), p.in(3), nullptr, p.out(1), p.out(2), p.work()},
                                 p.out<double>(0));
      },
      workspace(*shape));
}

// dy, x, scale, mean, inverse deviation, sums → dx
std::unique_ptr<Kernel> batch_norm_grad_sync_kernel(Site& site) {
  if (!is_f32(site, 5)) return site.decline("not f32");
  const auto shape = arrange(site, shared_layout(site, 2), 2);
  if (!shape) return site.decline("a layout without channels in blocks");
  return loop_kernel(
      [shape = *shape, count = count_of(site, *shape)](const Places& p) {
        batch_norm_backward_with(shape,
                                 {p.in(0), p.in(1), p.in(2), p.in(3), p.in(4), p.out(0), nullptr, nullptr, p.work()},
                                 p.in<double>(5), count);
      },
      workspace(*shape));
}

}  // namespace plimsoll
