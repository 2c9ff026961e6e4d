// Local response norm over neighbouring channels: their mean is an average pool along the channels.
#include "run/exec/torch/kernels/torch_kernel_makers.h"

namespace plimsoll {
namespace {

struct Window {
  Ints planes, shape;  // (batch, 1, channels, plane), and as the tensor is
  int64_t size;
  double alpha, beta, bias;

  // The mean over the neighbours of each channel, zeros outside counted.
  TorchTensor mean(const TorchTensor& x) const {
    const TorchTensor pooled = call("aten::avg_pool2d", "", reshaped(x, planes), Ints{size, 1}, Ints{1, 1},
                                    Ints{size / 2, 0}, false, true, none);
    return reshaped(pooled, shape);
  }

  // What is raised to the power of beta: the sum is divided by the size, as the mean is.
  TorchTensor base(const TorchTensor& x) const { return add(multiply(mean(multiply(x, x)), alpha), bias); }
};

std::optional<Window> form_of(const TorchSite& site, const Shape& x) {
  const Attributes& a = site.attributes();
  const int64_t size = a.integer("size", 1);
  if (size % 2 == 0 || size < 1 || x.elements() == Count(0)) return std::nullopt;
  return Window{{x[0], 1, x[1], x.elements(2, x.rank()).value()},
                x.dims(),
                size,
                a.number("alpha", 1e-4),
                a.number("beta", 0.75),
                a.number("bias", 1)};
}

constexpr std::string_view kEven = "an even number of channels has no middle";

}  // namespace

TorchKernel torch_lrn(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const auto form = form_of(site, site.shape(0));
  if (!form) return site.decline(kEven);
  return
      [form = *form](const TorchOperands& p) { p.give(0, multiply(p.in(0), power(form.base(p.in(0)), -form.beta))); };
}

// dy · s^-beta - 2 · alpha · beta · x · mean(dy · x · s^(-beta - 1))
TorchKernel torch_lrn_grad(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const auto form = form_of(site, site.shape(1));
  if (!form) return site.decline(kEven);
  return [form = *form](const TorchOperands& p) {
    const TorchTensor base = form.base(p.in(1));
    const TorchTensor straight = multiply(p.in(0), power(base, -form.beta));
    const TorchTensor pulled = form.mean(divide(multiply(straight, p.in(1)), base));
    p.give(0, add(straight, multiply(p.in(1), pulled), -2 * form.alpha * form.beta));
  };
}

}  // namespace plimsoll
