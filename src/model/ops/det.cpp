// det: the determinants of square matrices, the last two axes. Gaussian elimination: about n³ / 3
// multiplications and as many subtractions each.
#include <fmt/format.h>

#include <cmath>

#include "model/ir/for_type.h"
#include "model/ops/doubles.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_det(const OpCall& call) {
  const Shape& x = call.shape(0);
  const int rank = x.rank();
  if (rank < 2 || x[rank - 1] != x[rank - 2])
    return user_error(fmt::format("expected square matrices, found {}", x.text()));
  return std::vector{TensorType{call.dtype(0), Shape(std::vector<int64_t>(x.begin(), x.begin() + (rank - 2)))}};
}

Cost cost_det(const OpCall& call) {
  const Shape& x = call.shape(0);
  const Count n(x[x.rank() - 1]);
  const Count products = n * n * n;
  const Count each = products.overflowed() ? products : Count(products.value() / 3);
  return {{}, as<Flops>(call.outputs[0].elements() * each * 2)};
}

// The product of the pivots, each the largest left in its column; a swap of rows turns the sign.
double determinant(std::vector<double>& m, int64_t n) {
  const auto at = [&](int64_t row, int64_t column) -> double& { return m[size_t(row * n + column)]; };
  double product = 1;
  for (int64_t k = 0; k < n; ++k) {
    int64_t pivot = k;
    for (int64_t row = k + 1; row < n; ++row)
      if (std::abs(at(row, k)) > std::abs(at(pivot, k))) pivot = row;
    if (at(pivot, k) == 0) return 0;
    if (pivot != k) {
      product = -product;
      for (int64_t column = k; column < n; ++column) std::swap(at(pivot, column), at(k, column));
    }
    product *= at(k, k);
    for (int64_t row = k + 1; row < n; ++row) {
      const double factor = at(row, k) / at(k, k);
      for (int64_t column = k; column < n; ++column) at(row, column) -= factor * at(k, column);
    }
  }
  return product;
}

bool reference_det(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  const int64_t n = call.shape(0)[call.shape(0).rank() - 1];
  return for_float(in[0].dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (int64_t i = 0; i < out[0].size(); ++i) {
      const T* x = in[0].as<T>() + i * n * n;
      std::vector<double> matrix(x, x + n * n);
      out[0].as<T>()[i] = T(determinant(matrix, n));
    }
  });
}

// The determinant of what is left without one row and one column, signed: the derivative by the number there.
double cofactor(const double* m, int64_t n, int64_t row, int64_t column) {
  std::vector<double> rest;
  for (int64_t i = 0; i < n * n; ++i)
    if (i / n != row && i % n != column) rest.push_back(m[i]);
  return ((row + column) % 2 == 0 ? 1 : -1) * determinant(rest, n - 1);
}

// dy, x → dx. Counted as an inverse, 2 n³, and the product with it; by cofactors here, which singular matrices have.
bool reference_det_grad(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const auto dy = read_doubles(in[0]), x = read_doubles(in[1]);
  const int64_t n = in[1].shape()[in[1].shape().rank() - 1];
  std::vector<double> dx(x.size());
  for (int64_t i = 0; i < int64_t(dx.size()); ++i) {
    const int64_t matrix = i / (n * n), at = i % (n * n);
    dx[size_t(i)] = dy[size_t(matrix)] * cofactor(x.data() + matrix * n * n, n, at / n, at % n);
  }
  write_doubles(out, 0, dx);
  return true;
}

Cost cost_det_grad(const OpCall& call) {
  const Shape& x = call.shape(1);
  return {{}, as<Flops>(x.elements() * (Count(x[x.rank() - 1]) * 2 + Count(1)))};
}

void gradient_det(Backward& backward) {
  static const Op grad{
      .name = "det_grad",
      .onnx = {},
      .required_inputs = 2,
      .infer = [](const OpCall& call) -> Result<std::vector<TensorType>> { return std::vector{call.type(1)}; },
      .cost = cost_det_grad,
      .reference = reference_det_grad};
  backward.set(0, backward.emit(grad, {backward.gradient(), backward.input(0)}));
}

std::vector<OpExample> examples_det() { return {{"stack", {}, {{{DType::f32, {2, 3, 3}}}}}}; }

}  // namespace

const Op& det_op() {
  static const Op op{.name = "det",
                     .onnx = {"Det"},
                     .infer = infer_det,
                     .cost = cost_det,
                     .reference = reference_det,
                     .gradient = gradient_det,
                     .examples = examples_det};
  return op;
}

}  // namespace plimsoll
