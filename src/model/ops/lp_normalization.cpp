// lp_normalization: each slice along `axis` divided by its 1-norm or 2-norm; a slice of zeros stays.
// Cost: 3 an element: power, sum, division.
#include <fmt/format.h>

#include <cmath>

#include "model/ops/axis_slices.h"
#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_lp_normalization(const OpCall& call) {
  const int64_t p = call.attributes.integer("p", 2);
  if (p != 1 && p != 2) return user_error(fmt::format("p is {}, expected 1 or 2", p));
  return infer_by_slice(call);
}

bool reference_lp_normalization(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const AxisSlices slices = *axis_slices(call);
  const bool squares = call.attributes.integer("p", 2) == 2;
  auto y = read_doubles(in[0]);
  for_slices(slices, [&](const auto& at) {
    double sum = 0;
    for (int64_t i = 0; i < slices.length; ++i) sum += squares ? y[at(i)] * y[at(i)] : std::abs(y[at(i)]);
    const double norm = squares ? std::sqrt(sum) : sum;
    for (int64_t i = 0; i < slices.length && norm != 0; ++i) y[at(i)] /= norm;
  });
  write_doubles(out, 0, y);
  return true;
}

// From dy and x, with n the norm of a slice: dx = dy / n - c · Σ dy · x / n², c being x / n for the 2-norm and the sign
// of x for the 1-norm. A slice of zeros gets none. 8 an element: n (2), the sum (2), dx (4).
bool reference_grad(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  const AxisSlices slices = *axis_slices(call);
  const bool squares = call.attributes.integer("p", 2) == 2;
  auto dx = read_doubles(in[0]);
  const auto x = read_doubles(in[1]);
  for_slices(slices, [&](const auto& at) {
    double sum = 0, along = 0;
    for (int64_t i = 0; i < slices.length; ++i) {
      sum += squares ? x[at(i)] * x[at(i)] : std::abs(x[at(i)]);
      along += dx[at(i)] * x[at(i)];
    }
    const double norm = squares ? std::sqrt(sum) : sum;
    for (int64_t i = 0; i < slices.length; ++i) {
      const double number = x[at(i)], moves = squares ? number / norm : number > 0 ? 1 : number < 0 ? -1 : 0;
      dx[at(i)] = norm == 0 ? 0 : dx[at(i)] / norm - moves * along / (norm * norm);
    }
  });
  write_doubles(out, 0, dx);
  return true;
}

const Op& lp_normalization_grad() {
  static const Op op{.name = "lp_normalization_grad",
                     .kind = OpKind::norm,
                     .onnx = {},
                     .required_inputs = 2,
                     .infer = infer_lp_normalization,
                     .cost = elementwise_cost<8>,
                     .reference = reference_grad,
                     .elementwise = true};
  return op;
}

void gradient_lp_normalization(Backward& backward) {
  backward.set(0,
               backward.emit(lp_normalization_grad(), {backward.gradient(), backward.input(0)}, backward.attributes()));
}

std::vector<OpExample> examples_lp_normalization() {
  return {{"2-norm", {}, {{{DType::f32, {2, 3, 4}}}}},
          {"1-norm", {{"axis", int64_t{1}}, {"p", int64_t{1}}}, {{{DType::f32, {2, 3, 4}}}}}};
}

}  // namespace

const Op& lp_normalization_op() {
  static const Op op{.name = "lp_normalization",
                     .kind = OpKind::norm,
                     .starts = "010",
                     .onnx = {"LpNormalization"},
                     .infer = infer_lp_normalization,
                     .cost = elementwise_cost<3>,
                     .reference = reference_lp_normalization,
                     .gradient = gradient_lp_normalization,
                     .examples = examples_lp_normalization};
  return op;
}

}  // namespace plimsoll
