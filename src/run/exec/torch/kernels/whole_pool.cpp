// Pooling of whole planes, and to a stated size.
#include "run/exec/torch/kernels/torch_kernel_makers.h"
#include "run/exec/torch/torch_library.h"

namespace plimsoll {
namespace {

Ints spatial_axes(const Shape& shape) {
  Ints axes;
  for (int axis = 2; axis < shape.rank(); ++axis) axes.push_back(axis);
  return axes;
}

int64_t plane_of(const Shape& shape) { return shape.elements(2, shape.rank()).value(); }

// (batch, channels, 1, length) of a line, (batch, channels, height, width) of an image; nullopt for others.
std::optional<Ints> as_image(const Shape& shape) {
  if (shape.elements() == Count(0)) return std::nullopt;
  if (shape.rank() == 3) return Ints{shape[0], shape[1], 1, shape[2]};
  return shape.rank() == 4 ? std::optional(shape.dims()) : std::nullopt;
}

// (planes, numbers of each)
Ints as_planes(const Shape& shape) { return {shape.elements(0, 2).value(), plane_of(shape)}; }

}  // namespace

TorchKernel torch_global_average_pool(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const Ints axes = spatial_axes(site.shape(0));
  if (axes.empty() || site.input(0).elements() == Count(0)) return site.decline("an empty tensor");
  return [axes](const TorchOperands& p) { call("aten::mean", "out", p.in(0), some(axes), true, none, p.out(0)); };
}

TorchKernel torch_global_average_pool_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const int64_t plane = plane_of(site.output(0).shape);
  if (site.output(0).elements() == Count(0)) return site.decline("an empty tensor");
  return [share = 1 / double(plane)](const TorchOperands& p) { copy_into(p.out(0), multiply(p.in(0), share)); };
}

TorchKernel torch_adaptive_average_pool(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const auto x = as_image(site.shape(0)), y = as_image(site.output(0).shape);
  if (!x || !y) return site.decline("neither one- nor two-dimensional");
  return [x = *x, y = *y](const TorchOperands& p) {
    call("aten::_adaptive_avg_pool2d", "out", reshaped(p.in(0), x), Ints{y[2], y[3]}, reshaped(p.out(0), y));
  };
}

TorchKernel torch_adaptive_average_pool_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const auto x = as_image(site.output(0).shape), y = as_image(site.shape(0));
  if (!x || !y) return site.decline("neither one- nor two-dimensional");
  return [x = *x, y = *y, shape = site.output(0).shape.dims()](const TorchOperands& p) {
    const TorchTensor dx = call("aten::_adaptive_avg_pool2d_backward", "", reshaped(p.in(0), y), reshaped(p.out(0), x));
    p.give(0, reshaped(dx, shape));
  };
}

// The largest number of each plane or bin; in training also where in its plane it was.
TorchKernel torch_plane_max(TorchSite& site) {
  if (!site.of_floats()) return site.decline("not f32 or f64");
  const auto x = as_image(site.shape(0)), y = as_image(site.output(0).shape);
  if (!x || !y) return site.decline("neither one- nor two-dimensional");
  if (site.has_output(1)) site.change_type(1, DType::i64);
  return [x = *x, y = *y, shape = site.output(0).shape.dims()](const TorchOperands& p) {
    const auto made = calls<2>("aten::adaptive_max_pool2d", "", reshaped(p.in(0), x), Ints{y[2], y[3]});
    p.give(0, reshaped(made[0], shape));
    if (p.has_out(1)) p.give(1, reshaped(made[1], shape));
  };
}

// Adds up, for bins may overlap.
TorchKernel torch_plane_max_grad(TorchSite& site) {
  if (!site.of_floats()) return site.decline("not f32 or f64");
  if (!as_image(site.output(0).shape)) return site.decline("neither one- nor two-dimensional");
  PLIM_CHECK(site.input(1).dtype == DType::i64, "positions that another kernel has remembered");
  const Ints dx = as_planes(site.output(0).shape), dy = as_planes(site.shape(0));
  return [=](const TorchOperands& p) {
    const TorchTensor sums = reshaped(p.out(0), dx);
    if (sums.present()) check_call(opened_torch().api().zero(sums.handle()), "zero");
    call("aten::scatter_add_", "", sums, 1, reshaped(p.in(1), dy), reshaped(p.in(0), dy));
  };
}

}  // namespace plimsoll
