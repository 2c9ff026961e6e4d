// qgemm: onnxruntime's product of quantised matrices, a · b with a bias in 32 bits, quantised again where a scale of
// the result is given (input 7), else in f32. Inputs: a, scale, zero point, b, scales, zero points, bias, scale and
// zero point of the result. Attributes: transA, transB. Requantising is not counted beside the products.
#include <fmt/format.h>

#include <utility>

#include "model/ops/example.h"
#include "model/ops/matrix_product.h"
#include "model/ops/qlinear.h"
#include "model/ops/quantise.h"

namespace plimsoll {
namespace {

Shape operand(const OpCall& call, size_t input, std::string_view turned) {
  Shape shape = call.shape(input);
  if (shape.rank() == 2 && call.attributes.integer(turned, 0) != 0) std::swap(shape[0], shape[1]);
  return shape;
}

Result<std::vector<TensorType>> infer_qgemm(const OpCall& call) {
  const Shape a = operand(call, 0, "transA"), b = operand(call, 3, "transB");
  if (a.rank() != 2 || b.rank() != 2 || a[1] != b[0])
    return user_error(fmt::format("{} and {} are not two matrices to be multiplied", a.text(), b.text()));
  return std::vector{TensorType{call.has(7) ? call.dtype(0) : DType::f32, {a[0], b[1]}}};
}

Cost cost_qgemm(const OpCall& call) { return product_cost(call.outputs[0].elements(), operand(call, 0, "transA")[1]); }

std::vector<OpExample> examples_qgemm() {
  using example::f32;
  const auto u8 = quantised_input;
  return {{"transposed weights",
           {{"transB", int64_t{1}}},
           {u8({2, 3}), f32({}), u8({}), u8({4, 3}), f32({4}), u8({4}), {{DType::i32, {4}}}, f32({}), u8({})},
           1,
           true,
           false}};
}

}  // namespace

const Op& qgemm_op() {
  static const Op op{.name = "qgemm",
                     .kind = OpKind::product,
                     .onnx = {"com.microsoft:QGemm"},
                     .roles = "xccwbbwcc",
                     .required_inputs = 6,
                     .infer = infer_qgemm,
                     .cost = cost_qgemm,
                     .gradient = decline_quantised,
                     .examples = examples_qgemm};
  return op;
}

}  // namespace plimsoll
