// dequantize_linear: (x - zero point) · scale, in the scale's type. Cost: 2 an element.
#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/quantise.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_dequantize_linear(const OpCall& call) {
  PLIM_TRY(quant_scales(call));
  return std::vector{TensorType{call.dtype(1), call.shape(0)}};
}

bool reference_dequantize_linear(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const QuantScales scales = *quant_scales(call);
  auto y = read_doubles(in[0]);
  const auto scale = read_doubles(in[1]), zero = read_doubles(in, 2);
  for (size_t i = 0; i < y.size(); ++i) {
    const size_t k = scales.index(i);
    y[i] = (y[i] - (zero.empty() ? 0 : zero[k])) * scale[k];
  }
  write_doubles(out, 0, y);
  return true;
}

std::vector<OpExample> examples_dequantize_linear() {
  using example::f32;
  const auto u8 = [](Shape shape) { return OpExample::Input{{DType::u8, std::move(shape)}}; };
  return {{"whole tensor", {}, {u8({2, 3}), f32({}), u8({})}, 1, true, false},
          {"by channel", {}, {u8({2, 3, 4}), f32({3})}, 1, true, false}};
}

}  // namespace

const Op& dequantize_linear_op() {
  static const Op op{.name = "dequantize_linear",
                     .onnx = {"DequantizeLinear", "com.microsoft:DequantizeLinear"},
                     .roles = "xbb",
                     .required_inputs = 2,
                     .infer = infer_dequantize_linear,
                     .cost = elementwise_cost<2>,
                     .reference = reference_dequantize_linear,
                     .gradient = decline_quantised,
                     .examples = examples_dequantize_linear};
  return op;
}

}  // namespace plimsoll
