// matmul: the matrix product a · b, batched and broadcast over leading axes (matrix_product.h). Integers wrap.
#include "model/ops/all_ops.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"
#include "model/ops/matrix_product.h"

namespace plimsoll {
namespace {

// onnxruntime's FusedMatMul may ask for either matrix transposed.
Shape operand_shape(const OpCall& call, size_t i) {
  Shape shape = call.shape(i);
  const bool transpose = call.attributes.integer(i == 0 ? "transA" : "transB", 0) != 0;
  if (transpose && shape.rank() >= 2) std::swap(shape[shape.rank() - 2], shape[shape.rank() - 1]);
  return shape;
}

Result<std::vector<TensorType>> infer_matmul(const OpCall& call) {
  if (call.attributes.integer("transBatchA", 0) != 0 || call.attributes.integer("transBatchB", 0) != 0)
    return undetermined("a product with transposed batch axes is not understood");
  PLIM_ASSIGN(MatrixProduct product, matrix_product(operand_shape(call, 0), operand_shape(call, 1)));
  return std::vector{TensorType{call.dtype(0), product.output}};
}

Cost cost_matmul(const OpCall& call) {
  const Shape a = operand_shape(call, 0);
  return product_cost(call.outputs[0].elements(), a[a.rank() - 1]);
}

// The matrices of `view`, of `shape` once transposed.
std::vector<double> read_operand(const TensorView& view, const Shape& shape) {
  auto numbers = read_doubles(view);
  if (shape == view.shape()) return numbers;
  const int64_t rows = shape[shape.rank() - 2], columns = shape[shape.rank() - 1];
  std::vector<double> transposed(numbers.size());
  for (int64_t i = 0; i < int64_t(numbers.size()); ++i) {
    const int64_t matrix = i / (rows * columns) * (rows * columns), row = i / columns % rows, column = i % columns;
    transposed[size_t(i)] = numbers[size_t(matrix + column * rows + row)];
  }
  return transposed;
}

bool reference_matmul(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Shape a = operand_shape(call, 0), b = operand_shape(call, 1);
  const MatrixProduct product = *matrix_product(a, b);
  const bool plain = !call.attributes.has("transA") && !call.attributes.has("transB");
  if (plain && !is_floating(in[0].dtype()) && in[0].dtype() == in[1].dtype())
    return for_integer(in[0].dtype(), [&](auto zero) {
      using T = decltype(zero);
      multiply(product, in[0].as<T>(), in[1].as<T>(), out[0].as<T>());
    });
  const double alpha = call.attributes.number("alpha", 1);
  std::vector<double> y(size_t(out[0].size()));
  multiply(product, read_operand(in[0], a).data(), read_operand(in[1], b).data(), y.data());
  for (double& number : y) number *= alpha;
  write_doubles(out, 0, y);
  return true;
}

std::vector<OpExample> examples_matmul() {
  using example::f32;
  return {{"matrices", {}, {f32({2, 7}), f32({7, 5})}},
          {"batched, broadcast", {}, {f32({2, 3, 4, 5}), f32({3, 5, 2})}},
          {"times a vector", {}, {f32({2, 3, 4}), f32({4})}},
          {"transposed and scaled", {{"transB", int64_t{1}}, {"alpha", 0.5}}, {f32({2, 3, 4}), f32({5, 4})}}};
}

// dA = alpha · dy · Bᵗ and dB = alpha · Aᵗ · dy, summed over what broadcasting had repeated, transposed back where
// they were transposed before. A vector is a matrix of one row (left) or one column (right) for this.
void gradient_matmul(Backward& backward) {
  const bool ta = backward.attributes().integer("transA", 0) != 0, tb = backward.attributes().integer("transB", 0) != 0;
  const double alpha = backward.attributes().number("alpha", 1);
  const auto as_matrix = [&](ValueId value, bool needed, int64_t axis) {
    if (!needed) return value;
    Shape shape = backward.type_of(value).shape;
    auto sizes = sizes_of(shape);
    sizes.insert(axis == 0 ? sizes.end() - 1 + int64_t(sizes.empty()) : sizes.end(), 1);
    return backward.emit(op_named("reshape"), {value}, {{"shape", sizes}});
  };
  const bool row = backward.call().shape(0).rank() == 1, column = backward.call().shape(1).rank() == 1;
  const ValueId a = as_matrix(backward.input(0), row, 0), b = as_matrix(backward.input(1), column, 1);
  ValueId dy = backward.gradient();
  if (row || column) {
    auto sizes = sizes_of(backward.output_type(0).shape);
    if (row) sizes.insert(column ? sizes.end() : sizes.end() - 1, 1);
    if (column) sizes.push_back(1);
    dy = backward.emit(op_named("reshape"), {dy}, {{"shape", sizes}});
  }
  const auto product = [&](ValueId left, bool turn_left, ValueId right, bool turn_right) {
    return backward.emit(op_named("matmul"), {left, right},
                         {{"transA", int64_t{turn_left}}, {"transB", int64_t{turn_right}}, {"alpha", alpha}});
  };
  const auto give = [&](size_t i, ValueId like, ValueId value) {
    if (!value.present()) return;
    const Shape wanted = backward.type_of(like).shape;  // a copy: emit() moves the values
    if (backward.type_of(value).shape != wanted)
      value = backward.emit(op_named("sum_to"), {value}, {{"shape", sizes_of(wanted)}});
    if (wanted != backward.call().shape(i))
      value = backward.emit(op_named("reshape"), {value}, {{"shape", sizes_of(backward.call().shape(i))}});
    backward.set(i, value);
  };
  if (backward.wants(0)) give(0, a, ta ? product(b, tb, dy, true) : product(dy, false, b, !tb));
  if (backward.wants(1)) give(1, b, tb ? product(dy, true, a, ta) : product(a, !ta, dy, false));
}

}  // namespace

const Op& matmul_op() {
  static const Op op{.name = "matmul",
                     .onnx = {"MatMul", "com.microsoft:FusedMatMul"},
                     .roles = "xw",
                     .required_inputs = 2,
                     .infer = infer_matmul,
                     .cost = cost_matmul,
                     .reference = reference_matmul,
                     .gradient = gradient_matmul,
                     .examples = examples_matmul};
  return op;
}

}  // namespace plimsoll
