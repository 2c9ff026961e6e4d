// prelu: x, or slope · x below 0; the slope is learned and broadcasts to x's shape.
#include <fmt/format.h>

#include "model/ir/backward.h"
#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/wrapping.h"

namespace plimsoll {
namespace {

struct PRelu {
  static constexpr int kFlops = 2;
  static constexpr Numbers kNumbers = Numbers::number;
  explicit PRelu(const Attributes&) {}
  template <class T>
  T operator()(T x, T slope) const {
    if constexpr (std::is_signed_v<T>) return x < T(0) ? wrapping_multiply(slope, x) : x;
    else return x;
  }
};

Result<std::vector<TensorType>> infer_prelu(const OpCall& call) {
  const auto shape = broadcast(call.shape(0), call.shape(1));
  if (!shape.ok() || *shape != call.shape(0))
    return user_error(
        fmt::format("slope of shape {} does not broadcast to x, {}", call.shape(1).text(), call.shape(0).text()));
  return same_type(call);
}

// dy, x, slope → dx, dslope, the latter summed to the slope's shape. 4 an element: a comparison and a product for
// dx, a product and a sum for dslope.
bool reference_prelu_grad(const OpCall&, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  auto dx = read_doubles(in[0]);
  const auto x = read_doubles(in[1]), slope = read_doubles(in[2]);
  std::vector<double> dslope(slope.size());
  broadcast_walk<1>(in[1].shape(), {&in[2].shape()}, [&](int64_t i, const auto& at) {
    if (!(x[size_t(i)] < 0)) return;
    dslope[size_t(at[0])] += dx[size_t(i)] * x[size_t(i)];
    dx[size_t(i)] *= slope[size_t(at[0])];
  });
  write_doubles(out, 0, dx);
  write_doubles(out, 1, dslope);
  return true;
}

const Op& prelu_grad() {
  static const Op op{.name = "prelu_grad",
                     .onnx = {},
                     .roles = "xxw",
                     .required_inputs = 3,
                     .infer = [](const OpCall& call) -> Result<std::vector<TensorType>> {
                       return std::vector{call.type(0), call.type(2)};
                     },
                     .cost = elementwise_cost<4>,
                     .reference = reference_prelu_grad,
                     .elementwise = true};
  return op;
}

void gradient_prelu(Backward& backward) {
  const auto gradients =
      backward.emit(prelu_grad(), {backward.gradient(), backward.input(0), backward.input(1)}, {}, 2);
  for (size_t i = 0; i < 2; ++i)
    if (backward.wants(i)) backward.set(i, gradients[i]);
}

std::vector<OpExample> examples_prelu() {
  return {{"one slope", {}, {{{DType::f32, {2, 3, 4}}}, {{DType::f32, {1}}}}},
          {"one per channel", {}, {{{DType::f32, {2, 3, 4, 4}}}, {{DType::f32, {3, 1, 1}}}}}};
}

}  // namespace

const Op& prelu_op() {
  static const Op op = [] {
    Op prelu = binary_op<PRelu>("prelu", {"PRelu"});
    prelu.activation = ActivationKind::rectifier;
    prelu.starts = "q";
    prelu.roles = "xw";
    prelu.infer = infer_prelu;
    prelu.examples = examples_prelu;
    prelu.gradient = gradient_prelu;
    return prelu;
  }();
  return op;
}

}  // namespace plimsoll
