// multinomial: so many classes drawn for each row of log-probabilities. Only weighed; the cost is
// one exponential and one addition for each class.
#include <fmt/format.h>

#include "model/ir/backward.h"
#include "model/ops/example.h"
#include "model/ops/onnx_types.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_multinomial(const OpCall& call) {
  const int64_t samples = call.attributes.integer("sample_size", 1);
  if (call.shape(0).rank() != 2 || samples < 0)
    return user_error(
        fmt::format("draws {} from {}, expected at least 0 from batch x classes", samples, call.shape(0).text()));
  PLIM_ASSIGN(const DType type, dtype_of_onnx(call.attributes.integer("dtype", 6)));
  return std::vector{TensorType{type, Shape{call.shape(0)[0], samples}}};
}

Cost cost_multinomial(const OpCall& call) { return {{}, as<Flops>(call.type(0).elements() * 2)}; }

std::vector<OpExample> examples_multinomial() {
  return {{"four draws", {{"sample_size", int64_t{4}}}, {example::f32({2, 3})}}};
}

}  // namespace

const Op& multinomial_op() {
  static const Op op{.name = "multinomial",
                     .onnx = {"Multinomial"},
                     .infer = infer_multinomial,
                     .cost = cost_multinomial,
                     .gradient = no_gradient,
                     .examples = examples_multinomial,
                     .random = true};
  return op;
}

}  // namespace plimsoll
