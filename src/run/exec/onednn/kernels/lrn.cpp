// Local response norm and its backward pass.
#include "run/exec/loops/lrn.h"

#include "run/exec/onednn/kernels/kernel_makers.h"
#include "run/exec/threads/threads.h"

namespace plimsoll {
namespace {

std::optional<LrnShape> shape_of(const Site& site) {
  const Shape& x = site.input(0).shape;
  if (!site.all_f32() || x.rank() < 2 || x.elements() == Count(0)) return std::nullopt;
  const Attributes& a = site.attributes();
  LrnShape shape{x[0], x[1], x.elements(2, x.rank()).value(), a.integer("size", 1)};
  shape.alpha = float(a.number("alpha", 1e-4));
  shape.beta = float(a.number("beta", 0.75));
  shape.bias = float(a.number("bias", 1));
  return shape;
}

Bytes workspace(const LrnShape& shape) { return Bytes(shape.workspace() * most_threads() * int64_t(sizeof(float))); }

}  // namespace

// x → y
std::unique_ptr<Kernel> lrn_kernel(Site& site) {
  const auto shape = shape_of(site);
  if (!shape) return site.decline("not f32");
  site.all_row_major();
  return loop_kernel([shape = *shape](const Places& p) { lrn_forward(shape, p.in(0), p.out(0), p.work()); },
                     workspace(*shape));
}

// dy, x → dx
std::unique_ptr<Kernel> lrn_grad_kernel(Site& site) {
  const auto shape = shape_of(site);
  if (!shape) return site.decline("not f32");
  site.all_row_major();
  return loop_kernel([shape = *shape](const Places& p) { lrn_backward(shape, p.in(0), p.in(1), p.out(0), p.work()); },
                     workspace(*shape));
}

}  // namespace plimsoll
