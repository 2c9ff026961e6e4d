// mean_variance_norm: mean 0 and variance 1 over the stated axes (0, 2, 3 unless told).
// Cost: 6 an element: two sums, difference, square, difference, division.
#include <cmath>

#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

constexpr double kEpsilon = 1e-9;  // ONNX adds it to the deviation

// The input's shape with size 1 along the normalised axes.
Result<Shape> shape_of_means(const OpCall& call) {
  Shape kept = call.shape(0);
  for (const int64_t axis : call.attributes.integers("axes", {0, 2, 3})) {
    PLIM_ASSIGN(int a, normalise_axis(axis, kept.rank()));
    kept[a] = 1;
  }
  return kept;
}

Result<std::vector<TensorType>> infer_mean_variance_norm(const OpCall& call) {
  PLIM_TRY(shape_of_means(call));
  return std::vector{call.type(0)};
}

bool reference_mean_variance_norm(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Shape kept = *shape_of_means(call);
  const Shape& shape = in[0].shape();
  auto y = read_doubles(in[0]);
  std::vector<double> mean(size_t(kept.elements().value())), squares(mean.size());
  const double count = double(y.size()) / double(mean.size());
  broadcast_walk<1>(shape, {&kept}, [&](int64_t i, const auto& at) { mean[size_t(at[0])] += y[size_t(i)] / count; });
  broadcast_walk<1>(shape, {&kept}, [&](int64_t i, const auto& at) {
    y[size_t(i)] -= mean[size_t(at[0])];
    squares[size_t(at[0])] += y[size_t(i)] * y[size_t(i)];
  });
  broadcast_walk<1>(shape, {&kept}, [&](int64_t i, const auto& at) {
    y[size_t(i)] /= std::sqrt(squares[size_t(at[0])] / count) + kEpsilon;
  });
  write_doubles(out, 0, y);
  return true;
}

// dx = (dy - mean dy) / (s + ε) - c · mean(dy · c) / (s · (s + ε)²), c = x - mean x and s its deviation, from dy and x.
// 12 an element: mean, c and s (4), the sums of dy and dy · c (3), dx (5).
bool reference_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const Shape kept = *shape_of_means(call);
  const Shape& shape = in[1].shape();
  auto dx = read_doubles(in[0]), x = read_doubles(in[1]);
  std::vector<double> mean(size_t(kept.elements().value())), square(mean.size()), sum(mean.size()), along(mean.size());
  const double count = double(x.size()) / double(mean.size());
  const auto walk = [&](auto&& f) {
    broadcast_walk<1>(shape, {&kept}, [&](int64_t i, const auto& at) { f(size_t(i), size_t(at[0])); });
  };
  walk([&](size_t i, size_t k) { mean[k] += x[i] / count; });
  walk([&](size_t i, size_t k) {
    x[i] -= mean[k];
    square[k] += x[i] * x[i] / count;
    sum[k] += dx[i] / count;
    along[k] += dx[i] * x[i] / count;
  });
  walk([&](size_t i, size_t k) {
    const double deviation = std::sqrt(square[k]), divisor = deviation + kEpsilon;
    dx[i] = (dx[i] - sum[k]) / divisor;
    if (deviation > 0) dx[i] -= x[i] * along[k] / (deviation * divisor * divisor);
  });
  write_doubles(out, 0, dx);
  return true;
}

const Op& mean_variance_norm_grad() {
  static const Op op{.name = "mean_variance_norm_grad",
                     .kind = OpKind::norm,
                     .onnx = {},
                     .required_inputs = 2,
                     .infer = infer_mean_variance_norm,
                     .cost = elementwise_cost<12>,
                     .reference = reference_grad,
                     .elementwise = true};
  return op;
}

void gradient_mean_variance_norm(Backward& backward) {
  backward.set(
      0, backward.emit(mean_variance_norm_grad(), {backward.gradient(), backward.input(0)}, backward.attributes()));
}

std::vector<OpExample> examples_mean_variance_norm() {
  return {{"image", {}, {{{DType::f32, {2, 3, 4, 5}}}}},
          {"one axis", {{"axes", std::vector<int64_t>{-1}}}, {{{DType::f32, {2, 3}}}}}};
}

}  // namespace

const Op& mean_variance_norm_op() {
  static const Op op{.name = "mean_variance_norm",
                     .kind = OpKind::norm,
                     .starts = "010",
                     .onnx = {"MeanVarianceNormalization"},
                     .infer = infer_mean_variance_norm,
                     .cost = elementwise_cost<6>,
                     .reference = reference_mean_variance_norm,
                     .gradient = gradient_mean_variance_norm,
                     .examples = examples_mean_variance_norm};
  return op;
}

}  // namespace plimsoll
