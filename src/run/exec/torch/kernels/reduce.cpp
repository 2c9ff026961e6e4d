// Sums, means and extremes over axes.
#include "model/ops/reduce.h"
#include "run/exec/torch/kernels/torch_kernel_makers.h"

namespace plimsoll {
namespace {

// The axes along which `kept`, which has as many, is 1 where x is more.
Ints reduced_axes(const Shape& x, const Shape& kept) {
  Ints axes;
  for (int axis = 0; axis < x.rank(); ++axis)
    if (kept[axis] == 1 && x[axis] != 1) axes.push_back(axis);
  return axes;
}

TorchKernel sum_over(const Shape& x, const Shape& kept) {
  const Ints axes = reduced_axes(x, kept), sizes = kept.dims();
  if (axes.empty()) return [sizes](const TorchOperands& p) { copy_into(reshaped(p.out(0), sizes), p.in(0)); };
  return [axes, sizes](const TorchOperands& p) {
    call("aten::sum", "IntList_out", p.in(0), some(axes), true, none, reshaped(p.out(0), sizes));
  };
}

}  // namespace

// sum_to, and expand_grad: the sum over all that broadcasting repeats.
TorchKernel torch_sum_to(TorchSite& site) {
  if (!site.of_floats() || site.output(0).dtype != site.input(0).dtype) return site.decline("not f32 or f64");
  const Shape &x = site.shape(0), &y = site.output(0).shape;
  if (y.rank() > x.rank() || x.elements() == Count(0)) return site.decline("an empty tensor");
  Ints kept(size_t(x.rank() - y.rank()), 1);
  kept.insert(kept.end(), y.begin(), y.end());
  return sum_over(x, Shape(kept));
}

TorchKernel torch_reduce(TorchSite& site) {
  if (!site.of_floats()) return site.decline("not f32 or f64");
  const auto reduction = read_reduction(site.call);
  if (!reduction.ok() || site.input(0).elements() == Count(0)) return site.decline("only known at run time");
  const Shape &x = site.shape(0), &kept = reduction->kept;
  const std::string_view name = site.operation.op->name;
  if (name == "reduce_sum") return sum_over(x, kept);
  const Ints axes = reduced_axes(x, kept), sizes = kept.dims();
  if (axes.empty()) return [sizes](const TorchOperands& p) { copy_into(reshaped(p.out(0), sizes), p.in(0)); };
  if (name == "reduce_mean")
    return [=](const TorchOperands& p) {
      call("aten::mean", "out", p.in(0), some(axes), true, none, reshaped(p.out(0), sizes));
    };
  const char* extreme = name == "reduce_max" ? "aten::amax" : "aten::amin";
  return [=](const TorchOperands& p) { call(extreme, "out", p.in(0), axes, true, reshaped(p.out(0), sizes)); };
}

}  // namespace plimsoll
