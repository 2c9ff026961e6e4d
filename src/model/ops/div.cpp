// div: a / b, with broadcasting. Integers are cut towards 0; by 0 they give 0.
#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/gradient.h"
#include "model/ops/wrapping.h"

namespace plimsoll {

const Op& div_op();

namespace {

struct Div {
  static constexpr int kFlops = 1;
  static constexpr Numbers kNumbers = Numbers::number;
  explicit Div(const Attributes&) {}
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) return wrapping_divide(a, b);
    else return a / b;
  }
};

// The gradient of a / b by b before it is summed to b's shape: -dy · y / b, from dy, y and b.
bool reference_by_divisor(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  auto result = read_doubles(in[0]);
  const auto y = read_doubles(in[1]), b = read_doubles(in[2]);
  broadcast_walk<1>(out[0].shape(), {&in[2].shape()},
                    [&](int64_t i, const auto& at) { result[size_t(i)] *= -y[size_t(i)] / b[size_t(at[0])]; });
  write_doubles(out, 0, result);
  return true;
}

const Op& div_grad_divisor() {
  static const Op op{.name = "div_grad_divisor",
                     .onnx = {},
                     .required_inputs = 3,
                     .infer = same_type,
                     .cost = elementwise_cost<3>,
                     .reference = reference_by_divisor,
                     .elementwise = true};
  return op;
}

void gradient_div(Backward& backward) {
  const ValueId dy = backward.gradient(), b = backward.input(1);
  if (backward.wants(0)) backward.set(0, like_input(backward, 0, backward.emit(div_op(), {dy, b})));
  if (backward.wants(1))
    backward.set(1, like_input(backward, 1, backward.emit(div_grad_divisor(), {dy, backward.output(0), b})));
}

}  // namespace

const Op& div_op() {
  static const Op op = [] {
    Op div = with_gradient(binary_op<Div>("div", {"Div"}), gradient_div);
    div.starts = "f";
    return div;
  }();
  return op;
}

}  // namespace plimsoll
