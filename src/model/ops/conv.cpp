// conv: convolution in any number of spatial dimensions, with stride, padding, dilation and groups.
// Inputs: x (batch, channels, spatial …), weights (kernels, channels / groups, spatial …), bias.
// onnxruntime's FusedConv adds a fourth input to the sum and applies an activation; both are
// computed, but not counted: they are a share of a percent of the products.
#include <fmt/format.h>

#include "model/ops/conv_gradient.h"
#include "model/ops/convolution.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/fused_activation.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_conv(const OpCall& call) {
  PLIM_ASSIGN(Convolution conv, convolution(call.attributes, call.shape(0), call.shape(1)));
  if (call.has(2) && call.shape(2) != Shape{call.shape(1)[0]})
    return user_error(fmt::format("bias has the shape {}, expected {}", call.shape(2).text(), call.shape(1)[0]));
  if (call.has(3) && call.shape(3) != conv.output)
    return user_error(fmt::format("input 3 (added to the result) has the shape {}, expected {}", call.shape(3).text(),
                                  conv.output.text()));
  PLIM_TRY(fused_activation(call.attributes));
  return std::vector{TensorType{call.dtype(0), conv.output}};
}

Cost cost_conv(const OpCall& call) { return convolution_cost(call.outputs[0].shape, call.shape(1)); }

bool reference_conv(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Convolution conv = *convolution(call.attributes, call.shape(0), call.shape(1));
  const Activation activation = *fused_activation(call.attributes);
  auto y = convolve(conv, in[0].shape(), read_doubles(in[0]), in[1].shape(), read_doubles(in[1]), read_doubles(in, 2));
  const auto added = read_doubles(in, 3);
  for (size_t i = 0; i < y.size(); ++i) y[i] = activation(y[i] + (added.empty() ? 0 : added[i]));
  write_doubles(out, 0, y);
  return true;
}

std::vector<OpExample> examples_conv() {
  using example::f32, example::Ints;
  return {{"2-D with bias", {{"pads", Ints{1, 1, 1, 1}}}, {f32({2, 3, 6, 5}), f32({4, 3, 3, 3}), f32({4})}},
          {"strided, dilated, grouped",
           {{"strides", Ints{2, 1}}, {"dilations", Ints{1, 2}}, {"group", int64_t{2}}},
           {f32({2, 4, 7, 8}), f32({6, 2, 3, 3})}},
          {"every second position", {{"strides", Ints{2, 3}}}, {f32({2, 3, 7, 8}), f32({4, 3, 1, 1}), f32({4})}},
          {"a kernel for each channel",
           {{"pads", Ints{2, 2, 2, 2}}, {"group", int64_t{3}}},
           {f32({2, 3, 6, 5}), f32({3, 1, 5, 5}), f32({3})}},
          {"a kernel for each channel, strided",
           {{"pads", Ints{3, 3, 2, 2}}, {"strides", Ints{2, 2}}, {"group", int64_t{2}}},
           {f32({2, 2, 6, 7}), f32({2, 1, 7, 7})}},
          {"a kernel for each of many channels",
           {{"pads", Ints{1, 1, 1, 1}}, {"group", int64_t{16}}},
           {f32({1, 16, 3, 4}), f32({16, 1, 3, 3})}},
          {"1-D", {{"auto_pad", std::string("SAME_UPPER")}, {"strides", Ints{2}}}, {f32({2, 3, 9}), f32({5, 3, 4})}},
          {"3-D", {}, {f32({2, 2, 4, 4, 4}), f32({3, 2, 2, 3, 2})}}};
}

void gradient_conv(Backward& backward) {
  if (backward.attributes().has("activation") || backward.input(3).present())
    return backward.fail("a convolution that was fused with what follows it has no gradient");
  const ValueId dy = backward.gradient();
  if (backward.wants(0))
    backward.set(0, backward.emit(conv_grad_data(), {dy, backward.input(1)},
                                  with(backward.attributes(), "input_shape", sizes_of(backward.call().shape(0)))));
  if (backward.wants(1))
    backward.set(1, backward.emit(conv_grad_weights(), {backward.input(0), dy},
                                  with(backward.attributes(), "weights_shape", sizes_of(backward.call().shape(1)))));
  if (backward.wants(2)) backward.set(2, sum_per_channel(backward, dy));
}

}  // namespace

const Op& conv_op() {
  static const Op op{
      .name = "conv",
      .kind = OpKind::convolution,
      .takes = {ActivationKind::relu, ActivationKind::clip, ActivationKind::hard_swish, ActivationKind::silu},
      .starts = "0k0",
      .onnx = {"Conv", "com.microsoft:FusedConv"},
      .roles = "xwwx",
      .required_inputs = 2,
      .infer = infer_conv,
      .cost = cost_conv,
      .reference = reference_conv,
      .gradient = gradient_conv,
      .examples = examples_conv,
      .summand = 3};
  return op;
}

}  // namespace plimsoll
