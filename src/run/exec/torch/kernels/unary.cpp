// Functions of one number, by the name that libtorch has for them.
#include <array>

#include "run/exec/torch/kernels/torch_kernel_makers.h"
#include "run/exec/torch/torch_library.h"

namespace plimsoll {
namespace {

struct Name {
  std::string_view op;
  const char* torch;
};

constexpr Name kNames[] = {
    {"abs", "aten::abs"},     {"acos", "aten::acos"},   {"acosh", "aten::acosh"},
    {"asin", "aten::asin"},   {"asinh", "aten::asinh"}, {"atan", "aten::atan"},
    {"atanh", "aten::atanh"}, {"ceil", "aten::ceil"},   {"cos", "aten::cos"},
    {"cosh", "aten::cosh"},   {"erf", "aten::erf"},     {"exp", "aten::exp"},
    {"floor", "aten::floor"}, {"log", "aten::log"},     {"hard_swish", "aten::hardswish"},
    {"mish", "aten::mish"},   {"neg", "aten::neg"},     {"reciprocal", "aten::reciprocal"},
    {"relu", "aten::relu"},   {"round", "aten::round"}, {"sigmoid", "aten::sigmoid"},
    {"sign", "aten::sign"},   {"sin", "aten::sin"},     {"sinh", "aten::sinh"},
    {"sqrt", "aten::sqrt"},   {"tan", "aten::tan"},     {"tanh", "aten::tanh"},
};

const Name* find(std::string_view op) {
  for (const Name& name : kNames)
    if (name.op == op) return &name;
  return nullptr;
}

}  // namespace

TorchTensor torch_number(DType type, double value) {
  TorchTensor made = TorchTensor::allocated({type, {}});
  if (made.present()) check_call(opened_torch().api().with_numbers.fill(made.handle(), value), "fill");
  return made;
}

bool is_torch_unary(std::string_view op) { return find(op) != nullptr; }

TorchKernel torch_unary(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const char* name = find(site.operation.op->name)->torch;
  return [name](const TorchOperands& p) { call(name, "out", p.in(0), p.out(0)); };
}

// With a bias that is added first, too.
TorchKernel torch_gelu(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  if (site.has_input(1)) return site.decline("a bias is added first");
  const bool tanh = site.operation.op->name == "fast_gelu" || site.attributes().text("approximate", "none") == "tanh";
  const detail::Text approximate{tanh ? "tanh" : "none"};
  return [approximate](const TorchOperands& p) { call("aten::gelu", "out", p.in(0), approximate, p.out(0)); };
}

// x · sigmoid(alpha · x); silu has an alpha of 1.
TorchKernel torch_quick_gelu(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const double alpha = site.attributes().number("alpha", site.operation.op->name == "silu" ? 1 : 1.702);
  if (alpha == 1) return [](const TorchOperands& p) { call("aten::silu", "out", p.in(0), p.out(0)); };
  return [alpha](const TorchOperands& p) {
    const TorchTensor gate = call("aten::sigmoid", "", multiply(p.in(0), alpha));
    call("aten::mul", "out", p.in(0), gate, p.out(0));
  };
}

// alpha · x + (1 - alpha) · max(x, 0)
TorchKernel torch_leaky_relu(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const double alpha = site.attributes().number("alpha", 0.01);
  return [alpha](const TorchOperands& p) {
    p.give(0, add(multiply(p.in(0), alpha), call("aten::relu", "", p.in(0)), 1 - alpha));
  };
}

// max(x, 0) + alpha · (e^min(x, 0) - 1)
TorchKernel torch_elu(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const double alpha = site.attributes().number("alpha", 1);
  return [alpha](const TorchOperands& p) {
    const TorchTensor above = call("aten::relu", "", p.in(0));
    const TorchTensor below = call("aten::expm1", "", add(p.in(0), above, -1));
    p.give(0, add(above, below, alpha));
  };
}

TorchKernel torch_hard_sigmoid(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const double alpha = site.attributes().number("alpha", 0.2), beta = site.attributes().number("beta", 0.5);
  const DType type = site.input(0).dtype;
  return [=](const TorchOperands& p) {
    const TorchTensor line = add(multiply(p.in(0), alpha), beta);
    call("aten::clamp", "Tensor_out", line, some(torch_number(type, 0)), some(torch_number(type, 1)), p.out(0));
  };
}

// Bounds are attributes, or inputs of one number.
TorchKernel torch_clip(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const DType type = site.input(0).dtype;
  constexpr double kFar = std::numeric_limits<double>::infinity();
  const double low = site.attributes().number("min", -kFar), high = site.attributes().number("max", kFar);
  return [=](const TorchOperands& p) {
    const TorchTensor least = p.in(1).present() ? reshaped(p.in(1), {}) : torch_number(type, low);
    const TorchTensor most = p.in(2).present() ? reshaped(p.in(2), {}) : torch_number(type, high);
    call("aten::clamp", "Tensor_out", p.in(0), some(least), some(most), p.out(0));
  };
}

TorchKernel torch_softsign(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  return [](const TorchOperands& p) {
    const TorchTensor size = add(call("aten::abs", "", p.in(0)), 1);
    call("aten::div", "out", p.in(0), size, p.out(0));
  };
}

}  // namespace plimsoll
