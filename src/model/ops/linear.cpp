// linear: x · W + bias over the last axis of x, whatever its rank; W has the shape (in, out). As
// for gemm a multiply-add is two operations with or without bias.
#include <fmt/format.h>

#include "model/ops/all_ops.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"
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

// x as a matrix of all its rows: dx = dy · Wᵗ, dW = xᵗ · dy.
void gradient_linear(Backward& backward) {
  const ValueId dy = backward.gradient();
  const Shape &x = backward.call().shape(0), &weight = backward.call().shape(1);
  const auto rows = [&](ValueId value, int64_t columns) {
    if (backward.type_of(value).shape.rank() == 2) return value;
    return backward.emit(op_named("reshape"), {value}, {{"shape", std::vector<int64_t>{-1, columns}}});
  };
  if (backward.wants(0))
    backward.set(0, backward.emit(op_named("matmul"), {dy, backward.input(1)}, {{"transB", int64_t{1}}}));
  if (backward.wants(1)) {
    if (x.elements() == Count(0)) return backward.fail("an input without numbers");
    backward.set(1, backward.emit(op_named("gemm"), {rows(backward.input(0), weight[0]), rows(dy, weight[1])},
                                  {{"transA", int64_t{1}}}));
  }
  if (backward.wants(2)) backward.set(2, like_input(backward, 2, dy));
}

}  // namespace

const Op& linear_op() {
  static const Op op{.name = "linear",
                     .kind = OpKind::product,
                     .starts = "mm0",
                     .onnx = {},
                     .roles = "xww",
                     .required_inputs = 2,
                     .infer = infer_linear,
                     .cost = cost_linear,
                     .reference = reference_linear,
                     .gradient = gradient_linear,
                     .examples = examples_linear};
  return op;
}

}  // namespace plimsoll
