// dynamic_quantize_linear: x as u8, the scale and zero point chosen so that the range of x, widened to
// hold 0, fills 0 … 255. Cost: 5 an element: two comparisons, division, rounding, addition.
#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/quantise.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_dynamic_quantize_linear(const OpCall& call) {
  return std::vector{TensorType{DType::u8, call.shape(0)}, TensorType{DType::f32, {}}, TensorType{DType::u8, {}}};
}

bool reference_dynamic_quantize_linear(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  auto x = read_doubles(in[0]);
  double low = 0, high = 0;
  for (const double number : x) {
    low = std::min(low, number);
    high = std::max(high, number);
  }
  const auto scale = double(float((high - low) / 255));  // as it is handed on
  const double zero = scale == 0 ? 0 : double(clamped<uint8_t>(quantised(-low, scale, 0)));
  for (double& number : x) number = scale == 0 ? 0 : quantised(number, scale, zero);
  write_doubles(out, 0, x);
  write_doubles(out, 1, {scale});
  write_doubles(out, 2, {zero});
  return true;
}

std::vector<OpExample> examples_dynamic_quantize_linear() {
  return {{"image", {}, {example::f32({2, 3, 4, 5})}, 1, true, false}};
}

}  // namespace

const Op& dynamic_quantize_linear_op() {
  static const Op op{.name = "dynamic_quantize_linear",
                     .onnx = {"DynamicQuantizeLinear"},
                     .infer = infer_dynamic_quantize_linear,
                     .cost = elementwise_cost<5>,
                     .reference = reference_dynamic_quantize_linear,
                     .gradient = decline_quantised,
                     .examples = examples_dynamic_quantize_linear};
  return op;
}

}  // namespace plimsoll
