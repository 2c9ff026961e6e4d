// matmul: the matrix product a · b, batched and broadcast over leading axes (matrix_product.h).
#include "model/ops/matrix_product.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_matmul(const OpCall& call) {
  PLIM_ASSIGN(MatrixProduct product, matrix_product(call.shape(0), call.shape(1)));
  return std::vector{TensorType{call.dtype(0), product.output}};
}

Cost cost_matmul(const OpCall& call) {
  return product_cost(call.outputs[0].elements(), call.shape(0)[call.shape(0).rank() - 1]);
}

bool reference_matmul(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (in[0].dtype() != in[1].dtype()) return false;
  const MatrixProduct product = *matrix_product(call.shape(0), call.shape(1));
  return for_number(in[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    multiply(product, in[0].as<T>(), in[1].as<T>(), out[0].as<T>());
  });
}

std::vector<OpExample> examples_matmul() {
  const auto f32 = [](Shape shape) { return OpExample::Input{{DType::f32, std::move(shape)}}; };
  return {{"matrices", {}, {f32({2, 7}), f32({7, 5})}},
          {"batched, broadcast", {}, {f32({2, 3, 4, 5}), f32({3, 5, 2})}},
          {"times a vector", {}, {f32({2, 3, 4}), f32({4})}}};
}

}  // namespace

const Op& matmul_op() {
  static const Op op{.name = "matmul",
                     .onnx = {"MatMul"},
                     .roles = "xw",
                     .required_inputs = 2,
                     .infer = infer_matmul,
                     .cost = cost_matmul,
                     .reference = reference_matmul,
                     .examples = examples_matmul};
  return op;
}

}  // namespace plimsoll
