// quantize_linear: round(x / scale) + zero point, held to the range of the zero point's type (u8
// where there is none). Cost: 3 an element: division, rounding, addition.
#include <fmt/format.h>

#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/quantise.h"

namespace plimsoll {
namespace {

// The attribute output_dtype numbers the types as ONNX does.
Result<DType> output_type(const OpCall& call) {
  if (call.has(2)) return call.dtype(2);
  switch (call.attributes.integer("output_dtype", 0)) {
    case 0:
    case 2: return DType::u8;
    case 3: return DType::i8;
    case 4: return DType::u16;
    case 5: return DType::i16;
    case 17:
    case 18: return DType::f8e4m3;
    case 19:
    case 20: return DType::f8e5m2;
    case 21: return DType::u4;
    case 22: return DType::i4;
    default:
      return user_error(fmt::format("output_dtype is {}, expected ONNX's number of a quantised type",
                                    call.attributes.integer("output_dtype", 0)));
  }
}

Result<std::vector<TensorType>> infer_quantize_linear(const OpCall& call) {
  PLIM_TRY(quant_scales(call));
  PLIM_ASSIGN(DType type, output_type(call));
  return std::vector{TensorType{type, call.shape(0)}};
}

bool reference_quantize_linear(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const QuantScales scales = *quant_scales(call);
  const auto x = read_doubles(in[0]), scale = read_doubles(in[1]), zero = read_doubles(in, 2);
  std::vector<double> y(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t k = scales.index(i);
    y[i] = quantised(x[i], scale[k], zero.empty() ? 0 : zero[k]);
  }
  write_doubles(out, 0, y);
  return true;
}

std::vector<OpExample> examples_quantize_linear() {
  using example::f32;
  const OpExample::Input zero{{DType::i8, {3}}};
  return {{"whole tensor", {}, {f32({2, 3}), f32({})}, 1, true, false},
          {"by channel", {}, {f32({2, 3, 4}), f32({3}), zero}, 1, true, false},
          {"blocks",
           {{"axis", int64_t{2}}, {"block_size", int64_t{2}}},
           {f32({2, 3, 4}), f32({2, 3, 2})},
           1,
           false,
           false}};
}

}  // namespace

const Op& quantize_linear_op() {
  static const Op op{.name = "quantize_linear",
                     .onnx = {"QuantizeLinear", "com.microsoft:QuantizeLinear"},
                     .roles = "xbb",
                     .required_inputs = 2,
                     .infer = infer_quantize_linear,
                     .cost = elementwise_cost<3>,
                     .reference = reference_quantize_linear,
                     .gradient = decline_quantised,
                     .examples = examples_quantize_linear};
  return op;
}

}  // namespace plimsoll
