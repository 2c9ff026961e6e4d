#include "model/ops/elementwise.h"

namespace plimsoll {
namespace {

Result<Shape> broadcast_all(const OpCall& call) {
  Shape shape = call.shape(0);
  for (size_t i = 1; i < call.input_count(); ++i) {
    if (!call.has(i)) continue;
    PLIM_ASSIGN(shape, broadcast(shape, call.shape(i)));
  }
  return shape;
}

std::vector<OpExample> two_inputs(DType type) {
  const auto tensor = [&](Shape shape) { return OpExample::Input{{type, std::move(shape)}}; };
  return {{"same shapes", {}, {tensor({2, 3, 4}), tensor({2, 3, 4})}},
          {"broadcast row", {}, {tensor({2, 3, 4}), tensor({2, 1, 4})}},
          {"broadcast column", {}, {tensor({2, 1}), tensor({2, 5})}}};
}

}  // namespace

Result<std::vector<TensorType>> same_type(const OpCall& call) { return std::vector{call.type(0)}; }

Result<std::vector<TensorType>> broadcast_type(const OpCall& call) {
  PLIM_ASSIGN(Shape shape, broadcast_all(call));
  return std::vector{TensorType{call.dtype(0), shape}};
}

Result<std::vector<TensorType>> broadcast_bool(const OpCall& call) {
  PLIM_ASSIGN(Shape shape, broadcast_all(call));
  return std::vector{TensorType{DType::boolean, shape}};
}

std::vector<OpExample> unary_examples() {
  return {{"image", {}, {{{DType::f32, {2, 3, 4, 5}}}}}, {"vector", {}, {{{DType::f32, {2, 7}}}}}};
}
std::vector<OpExample> integer_unary_examples() { return {{"matrix", {}, {{{DType::i64, {2, 7}}}}}}; }
std::vector<OpExample> binary_examples() { return two_inputs(DType::f32); }
std::vector<OpExample> integer_binary_examples() { return two_inputs(DType::i64); }
std::vector<OpExample> bool_binary_examples() { return two_inputs(DType::boolean); }

}  // namespace plimsoll
