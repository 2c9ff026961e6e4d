// conv: convolution in any number of spatial dimensions, with stride, padding, dilation and groups.
// Inputs: x (batch, channels, spatial …), weights (kernels, channels / groups, spatial …), bias.
#include <fmt/format.h>

#include "model/ir/for_type.h"
#include "model/ops/window.h"

namespace plimsoll {
namespace {

Result<Window> window_of(const OpCall& call) {
  const Shape& weights = call.shape(1);
  auto kernel = std::vector<int64_t>(weights.begin() + 2, weights.end());
  const auto stated = call.attributes.integers("kernel_shape");
  if (!stated.empty() && stated != kernel)
    return user_error(
        fmt::format("kernel_shape is {} but the weights have the shape {}", fmt::join(stated, "x"), weights.text()));
  return read_window(call.attributes, call.shape(0), std::move(kernel));
}

Status check_channels(const OpCall& call) {
  const Shape& x = call.shape(0);
  const Shape& weights = call.shape(1);
  const int64_t groups = call.attributes.integer("group", 1);
  if (groups < 1 || weights[0] % groups != 0 || weights[1] > x[1] || weights[1] * groups != x[1])
    return user_error(
        fmt::format("input {} and weights {} do not agree for group {}: expected channels = weights' second size × "
                    "group, kernels a multiple of group",
                    x.text(), weights.text(), groups));
  if (call.has(2) && call.shape(2) != Shape{weights[0]})
    return user_error(fmt::format("bias has the shape {}, expected {}", call.shape(2).text(), weights[0]));
  return {};
}

Result<std::vector<TensorType>> infer_conv(const OpCall& call) {
  if (call.shape(0).rank() < 3 || call.shape(1).rank() != call.shape(0).rank())
    return user_error(fmt::format("input {} and weights {} are not of one rank of at least 3", call.shape(0).text(),
                                  call.shape(1).text()));
  PLIM_TRY(check_channels(call));
  PLIM_ASSIGN(Window window, window_of(call));
  PLIM_ASSIGN(std::vector<int64_t> sizes, window_output(window, call.shape(0), false));
  Shape shape{call.shape(0)[0], call.shape(1)[0]};
  for (const int64_t size : sizes) shape.push_back(size);
  return std::vector{TensorType{call.dtype(0), shape}};
}

// Each output is a product over channels / groups × kernel; its bias stands in for the addition
// that the first product does not need, so a multiply-add is two with or without bias.
Cost cost_conv(const OpCall& call) {
  const Count macs = call.outputs[0].elements() * call.shape(1).elements(1, call.shape(1).rank());
  return {as<Macs>(macs), as<Flops>(macs * 2)};
}

bool reference_conv(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const Window window = *window_of(call);
  const auto input_size = spatial(in[0].shape());
  const auto output_size = spatial(out[0].shape());
  const int64_t kernels = in[1].shape()[0], channels = in[1].shape()[1];
  const int64_t groups = call.attributes.integer("group", 1);
  const int64_t taps = in[1].shape().elements(2, in[1].shape().rank()).value();
  const int64_t plane = in[0].shape().elements(2, in[0].shape().rank()).value();
  const int64_t positions = out[0].shape().elements(2, out[0].shape().rank()).value();
  return for_float(in[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* x = in[0].as<T>();
    const T* w = in[1].as<T>();
    const T* bias = in.size() > 2 && in[2].present() ? in[2].as<T>() : nullptr;
    T* y = out[0].as<T>();
    for (int64_t n = 0; n < in[0].shape()[0]; ++n)
      for (int64_t k = 0; k < kernels; ++k) {
        const int64_t first_channel = k / (kernels / groups) * channels;
        std::vector<int64_t> at(input_size.size(), 0);
        for (int64_t p = 0; p < positions; ++p, advance(at, output_size)) {
          double sum = bias ? double(bias[k]) : 0.0;
          for_taps(window, input_size, at, [&](int64_t tap, int64_t offset) {
            for (int64_t c = 0; c < channels; ++c)
              sum += double(w[(k * channels + c) * taps + tap]) *
                     double(x[(n * in[0].shape()[1] + first_channel + c) * plane + offset]);
          });
          *y++ = T(sum);
        }
      }
  });
}

std::vector<OpExample> examples_conv() {
  const auto f32 = [](Shape shape) { return OpExample::Input{{DType::f32, std::move(shape)}}; };
  using Ints = std::vector<int64_t>;
  return {{"2-D with bias", {{"pads", Ints{1, 1, 1, 1}}}, {f32({2, 3, 6, 5}), f32({4, 3, 3, 3}), f32({4})}},
          {"strided, dilated, grouped",
           {{"strides", Ints{2, 1}}, {"dilations", Ints{1, 2}}, {"group", int64_t{2}}},
           {f32({2, 4, 7, 8}), f32({6, 2, 3, 3})}},
          {"1-D", {{"auto_pad", std::string("SAME_UPPER")}, {"strides", Ints{2}}}, {f32({2, 3, 9}), f32({5, 3, 4})}},
          {"3-D", {}, {f32({2, 2, 4, 4, 4}), f32({3, 2, 2, 3, 2})}}};
}

}  // namespace

const Op& conv_op() {
  static const Op op{.name = "conv",
                     .onnx = {"Conv"},
                     .roles = "xww",
                     .required_inputs = 2,
                     .infer = infer_conv,
                     .cost = cost_conv,
                     .reference = reference_conv,
                     .examples = examples_conv};
  return op;
}

}  // namespace plimsoll
