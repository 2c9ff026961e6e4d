// matmul: the matrix product a · b, batched and broadcast over leading axes (matrix_product.h). Integers wrap.
#include <utility>

#include "model/ops/all_ops.h"
#include "model/ops/doubles.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"
#include "model/ops/matrix_product.h"

namespace plimsoll {
namespace {

// onnxruntime's FusedMatMul may ask for either matrix transposed.
bool is_transposed(const OpCall& call, size_t i) {
  return call.attributes.integer(i == 0 ? "transA" : "transB", 0) != 0 && call.shape(i).rank() >= 2;
}

Shape operand_shape(const OpCall& call, size_t i) {
  Shape shape = call.shape(i);
  if (is_transposed(call, i)) std::swap(shape[shape.rank() - 2], shape[shape.rank() - 1]);
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

// The matrices of operand i, transposed where they are to be.
std::vector<double> read_operand(const OpCall& call, const TensorView& view, size_t i) {
  auto numbers = read_doubles(view);
  if (!is_transposed(call, i)) return numbers;
  const Shape shape = operand_shape(call, i);
  const int64_t rows = shape[shape.rank() - 2], columns = shape[shape.rank() - 1];
  std::vector<double> transposed(numbers.size());
  for (int64_t at = 0; at < int64_t(numbers.size()); ++at) {
    const int64_t matrix = at / (rows * columns) * (rows * columns), row = at / columns % rows, column = at % columns;
    transposed[size_t(at)] = numbers[size_t(matrix + column * rows + row)];
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
  multiply(product, read_operand(call, in[0], 0).data(), read_operand(call, in[1], 1).data(), y.data());
  for (double& number : y) number *= alpha;
  write_doubles(out, 0, y);
  return true;
}

std::vector<OpExample> examples_matmul() {
  using example::f32;
  return {{"matrices", {}, {f32({2, 7}), f32({7, 5})}},
          {"batched, broadcast", {}, {f32({2, 3, 4, 5}), f32({3, 5, 2})}},
          {"times a vector", {}, {f32({2, 3, 4}), f32({4})}},
          {"times a matrix", {}, {f32({2, 3, 2, 4}), f32({4, 5})}},
          {"times a matrix in a stack of one", {{"transA", int64_t{1}}}, {f32({2, 4, 3}), f32({1, 4, 5})}},
          {"a matrix times", {{"transA", int64_t{1}}, {"alpha", 2.0}}, {f32({5, 6}), f32({2, 5, 1})}, 1, false},
          {"transposed squares", {{"transA", int64_t{1}}, {"transB", int64_t{1}}}, {f32({2, 3, 3}), f32({3, 3})}},
          {"transposed and scaled", {{"transB", int64_t{1}}, {"alpha", 0.5}}, {f32({2, 3, 4}), f32({5, 4})}}};
}

// The backward pass of one product. A vector is a matrix of one row (left) or one column (right) for this.
class ProductGradient {
 public:
  explicit ProductGradient(Backward& backward)
      : backward_(backward),
        a_{backward.input(0), backward.attributes().integer("transA", 0) != 0},
        b_{backward.input(1), backward.attributes().integer("transB", 0) != 0},
        dy_{backward.gradient()} {
    const Shape &left = backward.call().shape(0), &right = backward.call().shape(1);
    std::vector<int64_t> sizes = sizes_of(backward.output_type(0).shape);
    if (left.rank() == 1) sizes.insert(right.rank() == 1 ? sizes.end() : sizes.end() - 1, 1);
    if (right.rank() == 1) sizes.push_back(1);
    if (left.rank() == 1) a_ = {reshaped(a_.value, {1, left[0]})};
    if (right.rank() == 1) b_ = {reshaped(b_.value, {right[0], 1})};
    dy_ = {reshaped(dy_.value, sizes)};
  }

  // dA = dy · Bᵗ
  void write_left() {
    const Shape b = shape_of(b_), dy = shape_of(dy_);
    const int64_t rows = dy[dy.rank() - 2], columns = dy[dy.rank() - 1], inner = b[b.rank() - (b_.turned ? 1 : 2)];
    const int64_t turned = rows * columns + (b_.turned ? 0 : inner * columns);  // numbers copied for each matrix
    if (is_one_matrix(a_) && !is_one_matrix(b_) && turned < rows * inner)
      return give(0, over_rows(dy_.transposed(), b_.transposed(), a_.turned));
    give(0, product(dy_, b_.transposed(), a_.turned));
  }

  // dB = Aᵗ · dy
  void write_right() {
    const bool for_nothing = a_.turned && is_one_matrix(a_);  // it would be copied, and nothing summed
    if (is_one_matrix(b_) && !for_nothing) return give(1, over_rows(a_, dy_, b_.turned));
    give(1, product(a_.transposed(), dy_, b_.turned));
  }

 private:
  struct Operand {
    ValueId value;
    bool turned = false;  // its matrices are seen transposed
    Operand transposed() const { return {value, !turned}; }
  };

  Shape shape_of(const Operand& operand) const { return backward_.type_of(operand.value).shape; }

  bool is_one_matrix(const Operand& operand) const {
    const Shape shape = shape_of(operand);
    return shape.elements(0, shape.rank() - 2) == Count(1);
  }

  ValueId reshaped(ValueId value, const std::vector<int64_t>& sizes) {
    if (!value.present() || sizes_of(backward_.type_of(value).shape) == sizes) return value;
    return backward_.emit(op_named("reshape"), {value}, {{"shape", sizes}, {"allowzero", int64_t{1}}});
  }

  // The product of both, or its transpose.
  ValueId product(Operand left, Operand right, bool turned) {
    if (turned) left = std::exchange(right, left.transposed()).transposed();
    return backward_.emit(op_named("matmul"), {left.value, right.value},
                          {{"transA", int64_t{left.turned}},
                           {"transB", int64_t{right.turned}},
                           {"alpha", backward_.attributes().number("alpha", 1)}});
  }

  // The matrices of a stack below each other, as one matrix: a view, unless they are seen transposed.
  Operand below_each_other(Operand stack) {
    const Shape shape = shape_of(stack);
    const int rank = shape.rank();
    if (stack.turned) {
      std::vector<int64_t> order;
      for (int axis = 0; axis < rank - 2; ++axis) order.push_back(axis);
      order.insert(order.end(), {rank - 1, rank - 2});
      stack.value = backward_.emit(op_named("transpose"), {stack.value}, {{"perm", order}});
    }
    const int64_t columns = shape[stack.turned ? rank - 2 : rank - 1];
    return {reshaped(stack.value,
                     {shape.elements(0, rank - 2).value() * shape[stack.turned ? rank - 1 : rank - 2], columns})};
  }

  // The sum of leftᵗ · right over all matrices of two stacks, in one product: a matrix for each, to be added up
  // afterwards, would take the memory of a whole weight for every sample.
  ValueId over_rows(const Operand& left, const Operand& right, bool turned) {
    return product(below_each_other(left).transposed(), below_each_other(right), turned);
  }

  // Summed over what broadcasting had repeated.
  void give(size_t i, ValueId value) {
    if (!value.present()) return;
    const Shape wanted = shape_of(i == 0 ? a_ : b_);  // a copy: emit() moves the values
    const Shape& shape = backward_.type_of(value).shape;
    if (shape.elements() == wanted.elements())
      return backward_.set(i, reshaped(value, sizes_of(backward_.call().shape(i))));
    value = backward_.emit(op_named("sum_to"), {value}, {{"shape", sizes_of(wanted)}});
    backward_.set(i, reshaped(value, sizes_of(backward_.call().shape(i))));
  }

  Backward& backward_;
  Operand a_, b_, dy_;
};

void gradient_matmul(Backward& backward) {
  ProductGradient gradient(backward);
  if (!backward.status().ok()) return;
  if (backward.wants(0)) gradient.write_left();
  if (backward.wants(1)) gradient.write_right();
}

}  // namespace

const Op& matmul_op() {
  static const Op op{.name = "matmul",
                     .kind = OpKind::product,
                     .starts = "mm0",
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
