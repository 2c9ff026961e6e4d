// Layer norm and root-mean-square norm with a scale for each number of a row, and their backward passes.
#include "run/exec/loops/layer_norm.h"

#include "run/exec/loops/sums.h"
#include "run/exec/onednn/kernels/kernel_makers.h"

namespace plimsoll {
namespace {

std::optional<LayerNormShape> shape_of(const Site& site, const Shape& x) {
  const auto axis = normalise_axis(site.attributes().integer("axis", -1), x.rank());
  if (!axis.ok() || x.elements() == Count(0)) return std::nullopt;
  return LayerNormShape{x.elements(0, *axis).value(), x.elements(*axis, x.rank()).value(),
                        float(site.attributes().number("epsilon", 1e-5))};
}

// One number for each of a row, the same for all rows.
bool fits(const LayerNormShape& shape, const Shape& x, const Shape& part) {
  const auto axes = kept_axes(x, part);
  return axes && axes->kept == shape.length && axes->after == 1;
}

}  // namespace

// x, scale, bias → y, mean, inverse deviation
std::unique_ptr<Kernel> layer_norm_kernel(Site& site) {
  if (!site.all_f32()) return site.decline("not f32");
  const Shape& x = site.input(0).shape;
  const auto shape = shape_of(site, x);
  const bool bias = site.has_input(2);
  if (!shape || !fits(*shape, x, site.input(1).shape) || (bias && !fits(*shape, x, site.input(2).shape)))
    return site.decline("its scale is not one number for each position of a row");
  site.all_row_major();
  const bool mean = site.has_output(1), inverse = site.has_output(2);
  return loop_kernel([shape = *shape, bias, mean, inverse](const Places& p) {
    layer_norm_forward(shape, {p.in(0), p.in(1), bias ? p.in(2) : nullptr, p.out(0), mean ? p.out(1) : nullptr,
                               inverse ? p.out(2) : nullptr});
  });
}

// dy, x, scale → dx, dscale, dbias
std::unique_ptr<Kernel> layer_norm_grad_kernel(Site& site) {
  if (!site.all_f32()) return site.decline("not f32");
  const Shape& x = site.input(1).shape;
  const auto shape = shape_of(site, x);
  if (!shape || !fits(*shape, x, site.input(2).shape))
    return site.decline("its scale is not one number for each position of a row");
  site.all_row_major();
  const bool dscale = site.has_output(1), dbias = site.has_output(2);
  return loop_kernel(
      [shape = *shape, dscale, dbias](const Places& p) {
        layer_norm_backward(shape, {p.in(0), p.in(1), p.in(2), p.out(0), dscale ? p.out(1) : nullptr,
                                    dbias ? p.out(2) : nullptr, p.work()});
      },
      Bytes(shape->workspace() * int64_t(sizeof(float))));
}

// x, scale → y, inverse root mean square
std::unique_ptr<Kernel> rms_norm_kernel(Site& site) {
  if (!site.all_f32()) return site.decline("not f32");
  const Shape& x = site.input(0).shape;
  auto shape = shape_of(site, x);
  if (!shape || !fits(*shape, x, site.input(1).shape))
    return site.decline("its scale is not one number for each position of a row");
  shape->centred = false;
  site.all_row_major();
  const bool inverse = site.has_output(1);
  return loop_kernel([shape = *shape, inverse](const Places& p) {
    layer_norm_forward(shape, {p.in(0), p.in(1), nullptr, p.out(0), nullptr, inverse ? p.out(1) : nullptr});
  });
}

// dy, x, scale → dx, dscale
std::unique_ptr<Kernel> rms_norm_grad_kernel(Site& site) {
  if (!site.all_f32()) return site.decline("not f32");
  const Shape& x = site.input(1).shape;
  auto shape = shape_of(site, x);
  if (!shape || !fits(*shape, x, site.input(2).shape))
    return site.decline("its scale is not one number for each position of a row");
  shape->centred = false;
  site.all_row_major();
  const bool dscale = site.has_output(1);
  return loop_kernel(
      [shape = *shape, dscale](const Places& p) {
        layer_norm_backward(shape,
                            {p.in(0), p.in(1), p.in(2), p.out(0), dscale ? p.out(1) : nullptr, nullptr, p.work()});
      },
      Bytes(shape->workspace() * int64_t(sizeof(float))));
}

}  // namespace plimsoll
