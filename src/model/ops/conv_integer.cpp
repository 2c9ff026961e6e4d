// conv_integer: the convolution of 8-bit integers less their zero points, in 32-bit integers.
// Inputs: x, weights, zero point of x (one number), zero points of the weights (one, or one a kernel).
#include <fmt/format.h>

#include "model/ops/convolution.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/quantise.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_conv_integer(const OpCall& call) {
  PLIM_ASSIGN(Convolution conv, convolution(call.attributes, call.shape(0), call.shape(1)));
  if (call.has(2) && call.type(2).elements() != Count(1))
    return user_error(
        fmt::format("the input's zero point has the shape {}, expected one number", call.shape(2).text()));
  const Count kernels(call.shape(1)[0]);
  if (call.has(3) && call.type(3).elements() != Count(1) && call.type(3).elements() != kernels)
    return user_error(fmt::format("the weights' zero point has the shape {}, expected one number or {}",
                                  call.shape(3).text(), kernels.value()));
  return std::vector{TensorType{DType::i32, conv.output}};
}

Cost cost_conv_integer(const OpCall& call) { return convolution_cost(call.outputs[0].shape, call.shape(1)); }

bool reference_conv_integer(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Convolution conv = *convolution(call.attributes, call.shape(0), call.shape(1));
  auto x = read_doubles(in[0]), w = read_doubles(in[1]);
  const double zero = read_double(in, 2, 0);
  for (double& number : x) number -= zero;
  const auto zeros = read_doubles(in, 3);
  for (size_t i = 0; i < w.size() && !zeros.empty(); ++i)
    w[i] -= zeros[i / (w.size() / size_t(in[1].shape()[0])) % zeros.size()];
  write_doubles(out, 0, convolve(conv, in[0].shape(), x, in[1].shape(), w, {}));
  return true;
}

std::vector<OpExample> examples_conv_integer() {
  const auto u8 = [](Shape shape) { return OpExample::Input{{DType::u8, std::move(shape)}}; };
  return {{"2-D", {{"pads", example::Ints{1, 1, 1, 1}}}, {u8({2, 3, 5, 5}), u8({4, 3, 3, 3}), u8({}), u8({4})}},
          {"no zero points", {}, {u8({2, 2, 6}), u8({3, 2, 3})}}};
}

}  // namespace

const Op& conv_integer_op() {
  static const Op op{.name = "conv_integer",
                     .kind = OpKind::convolution,
                     .onnx = {"ConvInteger"},
                     .roles = "xwcb",
                     .required_inputs = 2,
                     .infer = infer_conv_integer,
                     .cost = cost_conv_integer,
                     .reference = reference_conv_integer,
                     .gradient = decline_quantised,
                     .examples = examples_conv_integer};
  return op;
}

}  // namespace plimsoll
