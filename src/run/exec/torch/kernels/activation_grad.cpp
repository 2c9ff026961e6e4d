// dx of functions of one number, from dy and from x or y, as the op's own gradient rule says.
#include <limits>

#include "run/exec/torch/kernels/torch_kernel_makers.h"

namespace plimsoll {
namespace {

struct Name {
  std::string_view op;
  const char *torch, *overload;
};

constexpr Name kNames[] = {
    {"hard_swish_grad", "aten::hardswish_backward", "out"},
    {"sigmoid_grad", "aten::sigmoid_backward", "grad_input"},
    {"tanh_grad", "aten::tanh_backward", "grad_input"},
};

// dy where `inside` says so, else dy · share.
void choose(const TorchOperands& p, const TorchTensor& inside, double share) {
  if (share == 0) {
    call("aten::mul", "out", p.in(0), inside, p.out(0));
    return;
  }
  call("aten::where", "self_out", inside, p.in(0), multiply(p.in(0), share), p.out(0));
}

// low < y < high, as bool.
TorchTensor between(const TorchTensor& y, const TorchTensor& low, const TorchTensor& high) {
  return call("aten::logical_and", "", call("aten::gt", "Tensor", y, low), call("aten::lt", "Tensor", y, high));
}

}  // namespace

TorchKernel torch_activation_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  for (const Name& name : kNames)
    if (name.op == site.operation.op->name)
      return [name](const TorchOperands& p) { call(name.torch, name.overload, p.in(0), p.in(1), p.out(0)); };
  return site.decline("no function of torch's");
}

// y is never below 0: where it is not 0, the slope is 1.
TorchKernel torch_relu_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  return [](const TorchOperands& p) {
    const TorchTensor positive = call("aten::to", "dtype", p.in(1), detail::Type{DType::boolean}, false, false, none);
    choose(p, positive, 0);
  };
}

TorchKernel torch_gelu_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  if (site.has_input(2)) return site.decline("a bias is added first");
  const bool tanh =
      site.operation.op->name == "fast_gelu_grad" || site.attributes().text("approximate", "none") == "tanh";
  const detail::Text approximate{tanh ? "tanh" : "none"};
  return [approximate](const TorchOperands& p) {
    call("aten::gelu_backward", "grad_input", p.in(0), p.in(1), approximate, p.out(0));
  };
}

// The slope of x · sigmoid(alpha · x) at x is that of silu at alpha · x.
TorchKernel torch_quick_gelu_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const double alpha = site.attributes().number("alpha", site.operation.op->name == "silu_grad" ? 1 : 1.702);
  return [alpha](const TorchOperands& p) {
    if (alpha == 1) call("aten::silu_backward", "grad_input", p.in(0), p.in(1), p.out(0));
    else call("aten::silu_backward", "grad_input", p.in(0), multiply(p.in(1), alpha), p.out(0));
  };
}

TorchKernel torch_leaky_relu_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const double alpha = site.attributes().number("alpha", 0.01);
  const DType type = site.input(0).dtype;
  return [=](const TorchOperands& p) { choose(p, call("aten::gt", "Tensor", p.in(1), torch_number(type, 0)), alpha); };
}

// Below 0 the slope is y + alpha.
TorchKernel torch_elu_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const double alpha = site.attributes().number("alpha", 1);
  const DType type = site.input(0).dtype;
  return [=](const TorchOperands& p) {
    const TorchTensor below = multiply(p.in(0), add(p.in(1), alpha));
    const TorchTensor positive = call("aten::gt", "Tensor", p.in(1), torch_number(type, 0));
    call("aten::where", "self_out", positive, p.in(0), below, p.out(0));
  };
}

TorchKernel torch_hard_sigmoid_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const double alpha = site.attributes().number("alpha", 0.2);
  const DType type = site.input(0).dtype;
  return [=](const TorchOperands& p) {
    const TorchTensor inside = between(p.in(1), torch_number(type, 0), torch_number(type, 1));
    call("aten::mul", "out", multiply(p.in(0), alpha), inside, p.out(0));
  };
}

TorchKernel torch_clip_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const DType type = site.input(0).dtype;
  constexpr double kFar = std::numeric_limits<double>::infinity();
  const double low = site.attributes().number("min", -kFar), high = site.attributes().number("max", kFar);
  return [=](const TorchOperands& p) {
    const TorchTensor least = p.in(2).present() ? reshaped(p.in(2), {}) : torch_number(type, low);
    const TorchTensor most = p.in(3).present() ? reshaped(p.in(3), {}) : torch_number(type, high);
    choose(p, between(p.in(1), least, most), 0);
  };
}

// The slope is y.
TorchKernel torch_exp_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  return [](const TorchOperands& p) { call("aten::mul", "out", p.in(0), p.in(1), p.out(0)); };
}

// 1 / x
TorchKernel torch_log_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  return [](const TorchOperands& p) { call("aten::div", "out", p.in(0), p.in(1), p.out(0)); };
}

// 1 / (2 · y)
TorchKernel torch_sqrt_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  return [](const TorchOperands& p) { call("aten::div", "out", multiply(p.in(0), 0.5), p.in(1), p.out(0)); };
}

// -y²
TorchKernel torch_reciprocal_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  return [](const TorchOperands& p) {
    const TorchTensor square = multiply(p.in(1), p.in(1));
    call("aten::mul", "out", multiply(p.in(0), -1.0), square, p.out(0));
  };
}

}  // namespace plimsoll
