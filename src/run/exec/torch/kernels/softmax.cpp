// Softmax and its logarithm along one axis, and their gradients from dy and y.
#include "model/ops/axis_slices.h"
#include "run/exec/torch/kernels/torch_kernel_makers.h"

namespace plimsoll {
namespace {

// The tensor as (outer, length, inner), normalised along the middle.
std::optional<Ints> sizes_of(const TorchSite& site) {
  const auto slices = axis_slices(site.call);
  if (!slices.ok() || site.input(0).elements() == Count(0)) return std::nullopt;
  if (slices->inner == 1) return Ints{slices->outer, slices->length};
  return Ints{slices->outer, slices->length, slices->inner};
}

}  // namespace

TorchKernel torch_softmax(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const auto sizes = sizes_of(site);
  if (!sizes) return site.decline("an empty tensor");
  const char* name = site.operation.op->name == "softmax" ? "aten::_softmax" : "aten::_log_softmax";
  return [sizes = *sizes, name](const TorchOperands& p) {
    call(name, "out", reshaped(p.in(0), sizes), 1, false, reshaped(p.out(0), sizes));
  };
}

TorchKernel torch_softmax_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const auto sizes = sizes_of(site);
  if (!sizes) return site.decline("an empty tensor");
  const bool plain = site.operation.op->name == "softmax_grad";
  const char* name = plain ? "aten::_softmax_backward_data" : "aten::_log_softmax_backward_data";
  const Ints shape = site.output(0).shape.dims();
  const detail::Type type{site.input(0).dtype};
  return [sizes = *sizes, shape, name, type](const TorchOperands& p) {
    const TorchTensor dx = call(name, "", reshaped(p.in(0), sizes), reshaped(p.in(1), sizes), 1, type);
    p.give(0, reshaped(dx, shape));
  };
}

}  // namespace plimsoll
