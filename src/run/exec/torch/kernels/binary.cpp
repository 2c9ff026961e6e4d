// Arithmetic and questions on two tensors and more, with broadcasting.
#include "run/exec/torch/kernels/torch_kernel_makers.h"

namespace plimsoll {
namespace {

struct Name {
  std::string_view op;
  const char *torch, *overload;
};

constexpr Name kNames[] = {
    {"div", "aten::div", "out"},           {"equal", "aten::eq", "Tensor_out"},
    {"greater", "aten::gt", "Tensor_out"}, {"greater_or_equal", "aten::ge", "Tensor_out"},
    {"less", "aten::lt", "Tensor_out"},    {"less_or_equal", "aten::le", "Tensor_out"},
    {"mul", "aten::mul", "out"},           {"pow", "aten::pow", "Tensor_Tensor_out"},
};

bool same_floats(const TorchSite& site) {
  return site.of_floats() && site.has_input(1) && site.input(1).dtype == site.input(0).dtype;
}

}  // namespace

TorchKernel torch_add(TorchSite& site) {
  if (!same_floats(site)) return site.decline("not f32 or f64");
  return [](const TorchOperands& p) { p.give(0, add(p.in(0), p.in(1))); };
}

TorchKernel torch_sub(TorchSite& site) {
  if (!same_floats(site)) return site.decline("not f32 or f64");
  return [](const TorchOperands& p) { p.give(0, add(p.in(0), p.in(1), -1)); };
}

TorchKernel torch_binary(TorchSite& site) {
  if (!same_floats(site)) return site.decline("not f32 or f64");
  for (const Name& name : kNames)
    if (name.op == site.operation.op->name)
      return [name](const TorchOperands& p) { call(name.torch, name.overload, p.in(0), p.in(1), p.out(0)); };
  return site.decline("no function of torch's");
}

// -dy · y / b
TorchKernel torch_div_grad_divisor(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  return [](const TorchOperands& p) {
    const TorchTensor product = multiply(multiply(p.in(0), p.in(1)), -1.0);
    call("aten::div", "out", product, p.in(2), p.out(0));
  };
}

TorchKernel torch_where(TorchSite& site) {
  if (site.input(0).dtype != DType::boolean || !has_dtype(site.input(1).dtype) ||
      site.input(1).dtype != site.input(2).dtype)
    return site.decline("a type that torch does not choose from");
  return [](const TorchOperands& p) { call("aten::where", "self_out", p.in(0), p.in(1), p.in(2), p.out(0)); };
}

// Of any number of tensors.
TorchKernel torch_sum(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  return [](const TorchOperands& p) {
    if (p.inputs.size() == 1) return p.give(0, p.in(0));
    TorchTensor total = add(p.in(0), p.in(1));
    for (size_t i = 2; i < p.inputs.size(); ++i) total = add(total, p.in(i));
    p.give(0, total);
  };
}

// sum + share · x; the sum may have more digits.
TorchKernel torch_accumulate(TorchSite& site) {
  if (!site.of_floats()) return site.decline("not f32 or f64");
  const double share = site.attributes().number("share", 1);
  return [share](const TorchOperands& p) { p.give(0, add(p.in(0), p.in(1), share)); };
}

TorchKernel torch_cast(TorchSite& site) {
  const DType from = site.input(0).dtype, to = site.output(0).dtype;
  if (!has_dtype(from) || !has_dtype(to)) return site.decline("a type that torch does not have");
  if (is_floating(from) && !is_floating(to)) return site.decline("numbers out of range are converted differently");
  if (!is_floating(to) && from != to) return site.decline("numbers out of range are converted differently");
  return [](const TorchOperands& p) { copy_into(p.out(0), p.in(0)); };
}

}  // namespace plimsoll
