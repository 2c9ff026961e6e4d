// qlinear_conv: the convolution of quantised numbers, quantised again. Inputs: x, its scale and zero
// point; weights, their scales and zero points (one, or one a kernel); the output's scale and zero
// point; a 32-bit bias in units of both scales. Requantising is not counted beside the products.
#include <fmt/format.h>

#include "model/ops/convolution.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/quantise.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_qlinear_conv(const OpCall& call) {
  PLIM_ASSIGN(Convolution conv, convolution(call.attributes, call.shape(0), call.shape(3)));
  const Count kernels(call.shape(3)[0]);
  for (const size_t i : {1, 2, 4, 5, 6, 7}) {
    const Count count = call.type(i).elements();
    const bool per_kernel = (i == 4 || i == 5) && count == kernels;
    if (count != Count(1) && !per_kernel)
      return user_error(fmt::format("input {} (a scale or zero point) has the shape {}, expected one number{}", i,
                                    call.shape(i).text(), i == 4 || i == 5 ? " or one a kernel" : ""));
  }
  if (call.has(8) && call.shape(8) != Shape{kernels.value()})
    return user_error(fmt::format("bias has the shape {}, expected {}", call.shape(8).text(), kernels.value()));
  return std::vector{TensorType{call.dtype(7), conv.output}};
}

Cost cost_qlinear_conv(const OpCall& call) { return convolution_cost(call.outputs[0].shape, call.shape(3)); }

bool reference_qlinear_conv(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Convolution conv = *convolution(call.attributes, call.shape(0), call.shape(3));
  auto x = read_doubles(in[0]), w = read_doubles(in[3]);
  const double x_zero = read_double(in, 2, 0);
  for (double& number : x) number -= x_zero;
  const auto w_zero = read_doubles(in[5]), w_scale = read_doubles(in[4]);
  const size_t kernels = size_t(in[3].shape()[0]), taps = w.size() / kernels;
  for (size_t i = 0; i < w.size(); ++i) w[i] -= w_zero[i / taps % w_zero.size()];
  auto y = convolve(conv, in[0].shape(), x, in[3].shape(), w, read_doubles(in, 8));
  const size_t plane = size_t(conv.output.elements(2, conv.output.rank()).value());
  for (size_t i = 0; i < y.size(); ++i) {
    const double scale = read_double(in, 1, 1) * w_scale[i / plane % kernels % w_scale.size()];
    y[i] = quantised(y[i] * scale, read_double(in, 6, 1), read_double(in, 7, 0));
  }
  write_doubles(out, 0, y);
  return true;
}

std::vector<OpExample> examples_qlinear_conv() {
  using example::f32;
  const auto u8 = [](Shape shape) { return OpExample::Input{{DType::u8, std::move(shape)}}; };
  return {
      {"2-D with bias",
       {},
       {u8({2, 3, 5, 5}), f32({}), u8({}), u8({4, 3, 3, 3}), f32({4}), u8({4}), f32({}), u8({}), {{DType::i32, {4}}}},
       1,
       true,
       false}};
}

}  // namespace

const Op& qlinear_conv_op() {
  static const Op op{.name = "qlinear_conv",
                     .kind = OpKind::convolution,
                     .onnx = {"QLinearConv"},
                     .roles = "xccwbbccw",
                     .required_inputs = 8,
                     .infer = infer_qlinear_conv,
                     .cost = cost_qlinear_conv,
                     .reference = reference_qlinear_conv,
                     .gradient = decline_quantised,
                     .examples = examples_qlinear_conv};
  return op;
}

}  // namespace plimsoll
