#include "model/ops/qlinear.h"

#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/quantise.h"

namespace plimsoll {
namespace {

constexpr int kRequantise = 4;  // two operations to leave the integers, two to come back

Result<std::vector<TensorType>> infer_binary(const OpCall& call) {
  PLIM_ASSIGN(Shape shape, broadcast(call.shape(0), call.shape(3)));
  return std::vector{TensorType{call.dtype(0), std::move(shape)}};
}

std::vector<OpExample> unary_quantised_examples() {
  using example::f32;
  const auto u8 = quantised_input;
  return {{"quantised", {}, {u8({2, 3, 4, 4}), f32({}), u8({}), f32({}), u8({})}, 1, true, false}};
}

std::vector<OpExample> binary_quantised_examples() {
  using example::f32;
  const auto u8 = quantised_input;
  return {{"quantised",
           {},
           {u8({2, 3, 4}), f32({}), u8({}), u8({2, 3, 4}), f32({}), u8({}), f32({}), u8({})},
           1,
           true,
           false}};
}

}  // namespace

OpExample::Input quantised_input(Shape shape) { return {{DType::u8, std::move(shape)}}; }

Op qlinear_unary(std::string_view name, std::string_view onnx, CostRule cost) {
  Op op;
  op.name = name;
  op.onnx = {onnx};
  op.roles = "xc";
  op.required_inputs = 4;
  op.infer = same_type;
  op.cost = cost;
  op.gradient = decline_quantised;
  op.examples = unary_quantised_examples;
  return op;
}

Op qlinear_binary(std::string_view name, std::string_view onnx) {
  Op op = qlinear_unary(name, onnx, elementwise_cost<1 + 2 + kRequantise>);
  op.roles = "xccxccc";
  op.required_inputs = 7;
  op.infer = infer_binary;
  op.examples = binary_quantised_examples;
  return op;
}

}  // namespace plimsoll
