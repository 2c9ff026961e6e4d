// Losses of predictions against targets of the same shape.
#include "model/ops/loss.h"
#include "run/exec/torch/kernels/torch_kernel_makers.h"

namespace plimsoll {
namespace {

// torch's own numbers for them.
int64_t number_of(LossReduction reduction) {
  return reduction == LossReduction::none ? 0 : reduction == LossReduction::mean ? 1 : 2;
}

TorchTensor reduced(TorchTensor losses, LossReduction reduction) {
  if (reduction == LossReduction::none) return losses;
  return call(reduction == LossReduction::mean ? "aten::mean" : "aten::sum", "", losses, none);
}

// As torch has it, which would end the program at a probability or a target outside of 0 … 1: a logarithm is never
// below -100.
TorchTensor binary_cross_entropy(const TorchTensor& p, const TorchTensor& target, DType type) {
  const TorchTensor least = torch_number(type, -100), other = add(multiply(p, -1.0), 1);
  const TorchTensor yes = call("aten::maximum", "", call("aten::log", "", p), least);
  const TorchTensor no = call("aten::maximum", "", call("aten::log", "", other), least);
  const TorchTensor untrue = add(multiply(target, -1.0), 1);
  return multiply(add(multiply(target, yes), multiply(untrue, no)), -1.0);
}

// (p - target) / (p · (1 - p)), whose denominator is never below 1e-12.
TorchTensor binary_slope(const TorchTensor& p, const TorchTensor& target, DType type) {
  const TorchTensor spread = multiply(p, add(multiply(p, -1.0), 1));
  return divide(add(p, target, -1), call("aten::maximum", "", spread, torch_number(type, 1e-12)));
}

}  // namespace

TorchKernel torch_loss(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const LossReduction kind = *reduction_of(site.attributes());
  const int64_t reduction = number_of(kind);
  const DType type = site.input(0).dtype;
  const std::string_view name = site.operation.op->name;
  if (name == "mse_loss")
    return [=](const TorchOperands& p) { p.give(0, call("aten::mse_loss", "", p.in(0), p.in(1), reduction)); };
  if (name == "binary_cross_entropy")
    return [=](const TorchOperands& p) { p.give(0, reduced(binary_cross_entropy(p.in(0), p.in(1), type), kind)); };
  return [=](const TorchOperands& p) {
    p.give(0, call("aten::binary_cross_entropy_with_logits", "", p.in(0), p.in(1), none, none, reduction));
  };
}

// dloss, predictions, targets → dpredictions: slope · dloss, divided by the count for the mean.
TorchKernel torch_loss_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const LossReduction kind = *reduction_of(site.attributes());
  const int64_t count = site.input(1).elements().value();
  const DType type = site.input(0).dtype;
  const double share = kind == LossReduction::mean ? 1 / double(std::max<int64_t>(count, 1)) : 1;
  const std::string_view name = site.operation.op->name;
  if (name == "binary_cross_entropy_grad")
    return [=](const TorchOperands& p) {
      p.give(0, multiply(multiply(binary_slope(p.in(1), p.in(2), type), share), p.in(0)));
    };
  if (name == "mse_loss_grad")
    return [=](const TorchOperands& p) {
      const TorchTensor slope = multiply(add(p.in(1), p.in(2), -1), 2 * share);
      p.give(0, multiply(slope, p.in(0)));
    };
  return [=](const TorchOperands& p) {
    const TorchTensor slope = add(call("aten::sigmoid", "", p.in(1)), p.in(2), -1);
    p.give(0, multiply(multiply(slope, share), p.in(0)));
  };
}

}  // namespace plimsoll
