// qlinear_matmul: the product of quantised matrices, quantised again. Inputs: a, its scale and zero
// point (one, or one a row); b, its scale and zero point (one, or one a column); the output's scale
// and zero point. Requantising is not counted beside the products.
#include <fmt/format.h>

#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/matrix_product.h"
#include "model/ops/quantise.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_qlinear_matmul(const OpCall& call) {
  const Shape &a = call.shape(0), &b = call.shape(3);
  PLIM_ASSIGN(MatrixProduct product, matrix_product(a, b));
  for (const size_t i : {1, 2}) PLIM_TRY(check_lines(row_scales(a), a, call.type(i), fmt::format("input {}", i)));
  for (const size_t i : {4, 5}) PLIM_TRY(check_lines(column_scales(b), b, call.type(i), fmt::format("input {}", i)));
  for (const size_t i : {6, 7})
    PLIM_TRY(check_lines(row_scales(product.output.rank() > 0 ? product.output : Shape{1}),
                         product.output.rank() > 0 ? product.output : Shape{1}, call.type(i),
                         fmt::format("input {}", i)));
  return std::vector{TensorType{call.dtype(7), product.output}};
}

Cost cost_qlinear_matmul(const OpCall& call) {
  return product_cost(call.outputs[0].elements(), call.shape(0)[call.shape(0).rank() - 1]);
}

void scale(std::vector<double>& numbers, const std::vector<double>& scales, const LineScales& lines) {
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] *= scales[lines.index(i, scales.size())];
}

bool reference_qlinear_matmul(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const MatrixProduct product = *matrix_product(call.shape(0), call.shape(3));
  auto a = read_doubles(in[0]), b = read_doubles(in[3]);
  const LineScales rows = row_scales(in[0].shape()), columns = column_scales(in[3].shape());
  subtract(a, read_doubles(in[2]), rows);
  subtract(b, read_doubles(in[5]), columns);
  scale(a, read_doubles(in[1]), rows);
  scale(b, read_doubles(in[4]), columns);
  std::vector<double> y(size_t(out[0].size()));
  multiply(product, a.data(), b.data(), y.data());
  const auto scales = read_doubles(in[6]), zeros = read_doubles(in[7]);
  const LineScales lines = row_scales(product.output.rank() > 0 ? product.output : Shape{1});
  for (size_t i = 0; i < y.size(); ++i)
    y[i] = quantised(y[i], scales[lines.index(i, scales.size())], zeros[lines.index(i, zeros.size())]);
  write_doubles(out, 0, y);
  return true;
}

std::vector<OpExample> examples_qlinear_matmul() {
  using example::f32;
  const auto u8 = [](Shape shape) { return OpExample::Input{{DType::u8, std::move(shape)}}; };
  return {
      {"matrices", {}, {u8({2, 3}), f32({}), u8({}), u8({3, 4}), f32({4}), u8({4}), f32({}), u8({})}, 1, true, false}};
}

}  // namespace

const Op& qlinear_matmul_op() {
  static const Op op{.name = "qlinear_matmul",
                     .kind = OpKind::product,
                     .onnx = {"QLinearMatMul"},
                     .roles = "xccwbbcc",
                     .required_inputs = 8,
                     .infer = infer_qlinear_matmul,
                     .cost = cost_qlinear_matmul,
                     .reference = reference_qlinear_matmul,
                     .gradient = decline_quantised,
                     .examples = examples_qlinear_matmul};
  return op;
}

}  // namespace plimsoll
