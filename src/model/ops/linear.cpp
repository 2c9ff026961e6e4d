// linear: x · W + bias over the last axis of x, whatever its rank; W has the shape (in, out). As
// for gemm a multiply-add is two operations with or without bias.
#include <fmt/format.h>

#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/matrix_product.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_linear(const OpCall& call) {
  const Shape &x = call.shape(0), &weight = call.shape(1);
  if (x.rank() < 2 || weight.rank() != 2)
    return user_error(
        fmt::format("expected an input of rank 2 or more and a matrix, found {} and {}", x.text(), weight.text()));
  PLIM_ASSIGN(MatrixProduct product, matrix_product(x, weight));
  if (call.has(2) && call.shape(2) != Shape{product.columns})
    return user_error(fmt::format("bias has the shape {}, expected {}", call.shape(2).text(), product.columns));
  return std::vector{TensorType{call.dtype(0), product.output}};
}

Cost cost_linear(const OpCall& call) { return product_cost(call.outputs[0].elements(), call.shape(1)[0]); }

bool reference_linear(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const MatrixProduct product = *matrix_product(call.shape(0), call.shape(1));
  std::vector<double> y(size_t(out[0].size()));
  multiply(product, read_doubles(in[0]).data(), read_doubles(in[1]).data(), y.data());
  const auto bias = read_doubles(in, 2);
  if (!bias.empty())
    for (size_t i = 0; i < y.size(); ++i) y[i] += bias[i % bias.size()];
  write_doubles(out, 0, y);
  return true;
}

std::vector<OpExample> examples_linear() {
  using example::f32;
  return {{"a sequence", {}, {f32({2, 3, 4}), f32({4, 5}), f32({5})}}, {"no bias", {}, {f32({2, 4}), f32({4, 3})}}};
}

}  // namespace

const Op& linear_op() {
  static const Op op{.name = "linear",
                     .onnx = {},
                     .roles = "xww",
                     .required_inputs = 2,
                     .infer = infer_linear,
                     .cost = cost_linear,
                     .reference = reference_linear,
                     .examples = examples_linear};
  return op;
}

}  // namespace plimsoll
