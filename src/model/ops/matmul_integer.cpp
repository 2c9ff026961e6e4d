// matmul_integer: the product of 8-bit matrices less their zero points, in 32-bit integers. Inputs:
// a, b, zero points of a (one, or one a row), zero points of b (one, or one a column).
#include "model/ops/doubles.h"
#include "model/ops/matrix_product.h"
#include "model/ops/quantise.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_matmul_integer(const OpCall& call) {
  const Shape &a = call.shape(0), &b = call.shape(1);
  PLIM_ASSIGN(MatrixProduct product, matrix_product(a, b));
  if (call.has(2)) PLIM_TRY(check_lines(row_scales(a), a, call.type(2), "zero point of the left matrix"));
  if (call.has(3)) PLIM_TRY(check_lines(column_scales(b), b, call.type(3), "zero point of the right matrix"));
  return std::vector{TensorType{DType::i32, product.output}};
}

Cost cost_matmul_integer(const OpCall& call) {
  return product_cost(call.outputs[0].elements(), call.shape(0)[call.shape(0).rank() - 1]);
}

bool reference_matmul_integer(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const MatrixProduct product = *matrix_product(call.shape(0), call.shape(1));
  auto a = read_doubles(in[0]), b = read_doubles(in[1]);
  subtract(a, read_doubles(in, 2), row_scales(in[0].shape()));
  subtract(b, read_doubles(in, 3), column_scales(in[1].shape()));
  std::vector<double> y(size_t(out[0].size()));
  multiply(product, a.data(), b.data(), y.data());
  write_doubles(out, 0, y);
  return true;
}

std::vector<OpExample> examples_matmul_integer() {
  const auto u8 = [](Shape shape) { return OpExample::Input{{DType::u8, std::move(shape)}}; };
  return {{"by row and column", {}, {u8({2, 3}), u8({3, 4}), u8({1}), u8({4})}},
          {"batched", {}, {u8({2, 3, 4}), u8({4, 5})}}};
}

}  // namespace

const Op& matmul_integer_op() {
  static const Op op{.name = "matmul_integer",
                     .kind = OpKind::product,
                     .onnx = {"MatMulInteger"},
                     .roles = "xwcb",
                     .required_inputs = 2,
                     .infer = infer_matmul_integer,
                     .cost = cost_matmul_integer,
                     .reference = reference_matmul_integer,
                     .gradient = decline_quantised,
                     .examples = examples_matmul_integer};
  return op;
}

}  // namespace plimsoll
