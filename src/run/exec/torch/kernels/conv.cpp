// Convolutions and their gradients.
#include "model/ops/convolution.h"
#include "run/exec/torch/kernels/kernels.h"

namespace plimsoll {
namespace {

struct ConvForm {
  Ints stride, padding, dilation, output_padding;
  int64_t groups = 1;
};

// nullopt: torch pads both ends alike, in one to three dimensions.
std::optional<ConvForm> form_of(const Attributes& attributes, const Shape& x, const Shape& weights) {
  const auto conv = convolution(attributes, x, weights);
  if (!conv.ok() || x.rank() < 3 || x.rank() > 5 || x.elements() == Count(0)) return std::nullopt;
  const Window& window = conv->window;
  if (window.pad_begin != window.pad_end) return std::nullopt;
  for (const int64_t pad : window.pad_begin)
    if (pad < 0) return std::nullopt;
  return ConvForm{window.stride, window.pad_begin, window.dilation, Ints(window.stride.size(), 0), conv->groups};
}

constexpr std::string_view kNotTorchs = "torch pads both ends alike, in one to three dimensions";

// Which of dx, dw and dbias. The one that is not read only tells its shape.
std::array<TorchTensor, 3> gradients(const ConvForm& form, const TorchTensor& dy, const TorchTensor& x,
                                     const TorchTensor& weights, std::vector<bool> which) {
  return calls<3>("aten::convolution_backward", "", dy, x, weights, none, form.stride, form.padding, form.dilation,
                  false, form.output_padding, form.groups, detail::Flags{std::move(which)});
}

}  // namespace

TorchKernel torch_conv(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  if (site.has_input(3) || site.attributes().has("activation")) return site.decline("fused with what follows it");
  const auto form = form_of(site.attributes(), site.shape(0), site.shape(1));
  if (!form) return site.decline(kNotTorchs);
  return [form = *form](const TorchOperands& p) {
    p.give(0, call("aten::convolution", "", p.in(0), p.in(1), maybe(p.in(2)), form.stride, form.padding, form.dilation,
                   false, form.output_padding, form.groups));
  };
}

TorchKernel torch_conv_grad_data(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const auto form = form_of(site.attributes(), site.output(0).shape, site.shape(1));
  if (!form) return site.decline(kNotTorchs);
  return [form = *form](const TorchOperands& p) {
    p.give(0, gradients(form, p.in(0), p.out(0), p.in(1), {true, false, false})[0]);
  };
}

TorchKernel torch_conv_grad_weights(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const auto form = form_of(site.attributes(), site.shape(0), site.output(0).shape);
  if (!form) return site.decline(kNotTorchs);
  return [form = *form](const TorchOperands& p) {
    p.give(0, gradients(form, p.in(1), p.in(0), p.out(0), {false, true, false})[1]);
  };
}

}  // namespace plimsoll
