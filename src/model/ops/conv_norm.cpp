#include "model/ops/conv_norm.h"

#include <fmt/format.h>

#include "model/ops/convolution.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/normalise.h"

namespace plimsoll {
namespace {

constexpr size_t kNorm = 3;  // the first of batch norm's four inputs

Result<std::vector<TensorType>> infer_conv_norm(const OpCall& call) {
  PLIM_ASSIGN(const Convolution conv, convolution(call.attributes, call.shape(0), call.shape(1)));
  for (const size_t i : {size_t{2}, kNorm, kNorm + 1, kNorm + 2, kNorm + 3})
    if (call.has(i) && call.shape(i) != Shape{call.shape(1)[0]})
      return user_error(
          fmt::format("input {} has the shape {}, expected {}", i, call.shape(i).text(), call.shape(1)[0]));
  return std::vector{TensorType{call.dtype(0), conv.output}};
}

// The norm's two operations an element, folded, are the convolution's own.
Cost cost_conv_norm(const OpCall& call) { return convolution_cost(call.outputs[0].shape, call.shape(1)); }

bool reference_conv_norm(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Convolution conv = *convolution(call.attributes, call.shape(0), call.shape(1));
  auto y = convolve(conv, in[0].shape(), read_doubles(in[0]), in[1].shape(), read_doubles(in[1]), read_doubles(in, 2));
  auto scale = read_doubles(in[kNorm]), shift = read_doubles(in[kNorm + 1]);
  const auto mean = read_doubles(in[kNorm + 2]), variance = read_doubles(in[kNorm + 3]);
  for (size_t c = 0; c < scale.size(); ++c) {
    scale[c] *= Moments{mean[c], variance[c]}.inverse_deviation(call.attributes.number("epsilon", 1e-5));
    shift[c] -= mean[c] * scale[c];
  }
  scale_and_shift(y, out[0].shape(), scale, shift);
  write_doubles(out, 0, y);
  return true;
}

std::vector<OpExample> examples_conv_norm() {
  using example::f32, example::Ints;
  return {{"image",
           {{"pads", Ints{1, 1, 1, 1}}},
           {f32({2, 3, 6, 5}), f32({4, 3, 3, 3}), f32({4}), f32({4}), f32({4}), f32({4}), f32({4})}},
          {"every second position",
           {{"strides", Ints{2, 2}}},
           {f32({2, 3, 7, 5}), f32({4, 3, 1, 1}), f32({4}), f32({4}), f32({4}), f32({4}), f32({4})}}};
}

}  // namespace

const Op& conv_norm() {
  static const Op op{.name = "conv_norm",
                     .kind = OpKind::convolution,
                     .takes = {ActivationKind::relu},
                     .starts = "0k010",
                     .onnx = {},
                     .roles = "xwwwwbb",
                     .required_inputs = 2,
                     .infer = infer_conv_norm,
                     .cost = cost_conv_norm,
                     .reference = reference_conv_norm,
                     .examples = examples_conv_norm};
  return op;
}

}  // namespace plimsoll
