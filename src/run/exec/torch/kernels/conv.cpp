// Convolutions and their gradients.
#include "model/ops/convolution.h"
#include "run/exec/torch/kernels/narrow.h"
#include "run/exec/torch/kernels/torch_kernel_makers.h"

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

TorchKernel narrow_conv(const NarrowFormat& format, const ConvForm& form, const Shape& x_shape, const Shape& w_shape) {
  return [=](const TorchOperands& p) {
    auto x = format.operand(p.in(0)), w = format.operand(p.in(1));
    const auto bias = format.operand(p.in(2));
    x.numbers = format.ordered(std::move(x.numbers), x_shape);
    w.numbers = format.ordered(std::move(w.numbers), w_shape);
    const TorchTensor y = call("aten::convolution", "", x.numbers, w.numbers, maybe(bias.numbers), form.stride,
                               form.padding, form.dilation, false, form.output_padding, form.groups);
    copy_into(p.out(0), NarrowFormat::widened(y, x, w));
  };
}

// dy, and the weights for dx, or x for dw.
TorchKernel narrow_gradient(const NarrowFormat& format, const ConvForm& form, const Shape& dy_shape,
                            const Shape& read_shape, const Shape& made_shape, bool of_data) {
  return [=](const TorchOperands& p) {
    auto dy = format.operand(p.in(of_data ? 0 : 1)), read = format.operand(p.in(of_data ? 1 : 0));
    dy.numbers = format.ordered(std::move(dy.numbers), dy_shape);
    read.numbers = format.ordered(std::move(read.numbers), read_shape);
    const TorchTensor like = format.unwritten(made_shape);  // tells its shape only
    const auto made = gradients(form, dy.numbers, of_data ? like : read.numbers, of_data ? read.numbers : like,
                                {of_data, !of_data, false});
    copy_into(p.out(0), NarrowFormat::widened(made[of_data ? 0 : 1], dy, read));
  };
}

}  // namespace

TorchKernel torch_conv(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  if (site.has_input(3) || site.attributes().has("activation")) return site.decline("fused with what follows it");
  const auto form = form_of(site.attributes(), site.shape(0), site.shape(1));
  if (!form) return site.decline(kNotTorchs);
  if (const auto narrow = NarrowFormat::of_images(site))
    return narrow_conv(*narrow, *form, site.shape(0), site.shape(1));
  return [form = *form](const TorchOperands& p) {
    p.give(0, call("aten::convolution", "", p.in(0), p.in(1), maybe(p.in(2)), form.stride, form.padding, form.dilation,
                   false, form.output_padding, form.groups));
  };
}

TorchKernel torch_conv_grad_data(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const auto form = form_of(site.attributes(), site.output(0).shape, site.shape(1));
  if (!form) return site.decline(kNotTorchs);
  if (const auto narrow = NarrowFormat::of_images(site))
    return narrow_gradient(*narrow, *form, site.shape(0), site.shape(1), site.output(0).shape, true);
  return [form = *form](const TorchOperands& p) {
    p.give(0, gradients(form, p.in(0), p.out(0), p.in(1), {true, false, false})[0]);
  };
}

TorchKernel torch_conv_grad_weights(TorchSite& site) {
  if (!site.all_floats()) return site.decline("not f32 or f64");
  const auto form = form_of(site.attributes(), site.shape(0), site.output(0).shape);
  if (!form) return site.decline(kNotTorchs);
  if (const auto narrow = NarrowFormat::of_images(site))
    return narrow_gradient(*narrow, *form, site.shape(1), site.shape(0), site.output(0).shape, false);
  return [form = *form](const TorchOperands& p) {
    p.give(0, gradients(form, p.in(1), p.in(0), p.out(0), {false, true, false})[1]);
  };
}

}  // namespace plimsoll
