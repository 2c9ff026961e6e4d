// accumulate: sum + share · x, in the memory of the sum: gradients of micro-batches. The sum may have more digits
// than what is added to it. Cost: 2 an element.
#include "model/ops/doubles.h"
#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/gradient.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_accumulate(const OpCall& call) {
  if (call.shape(0) != call.shape(1)) return user_error("what is added is not of the sum's shape");
  return std::vector{call.type(0)};
}

bool reference_accumulate(const OpCall& call, std::span<const TensorView> in, std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  auto sum = read_doubles(in[0]);
  const auto x = read_doubles(in[1]);
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += x[i] * call.attributes.number("share", 1);
  write_doubles(out, 0, sum);
  return true;
}

void gradient_accumulate(Backward& backward) {
  if (backward.wants(0)) backward.set(0, backward.gradient());
  if (backward.wants(1))
    backward.set(1, scaled(backward, backward.gradient(), backward.attributes().number("share", 1)));
}

std::vector<OpExample> examples_accumulate() {
  return {{"a quarter", {{"share", 0.25}}, {example::f32({2, 3}), example::f32({2, 3})}}};
}

}  // namespace

const Op& accumulate_op() {
  static const Op op{.name = "accumulate",
                     .kind = OpKind::element,
                     .onnx = {},
                     .required_inputs = 2,
                     .infer = infer_accumulate,
                     .cost = elementwise_cost<2>,
                     .reference = reference_accumulate,
                     .gradient = gradient_accumulate,
                     .examples = examples_accumulate,
                     .updates = {{0, 0}}};
  return op;
}

}  // namespace plimsoll
