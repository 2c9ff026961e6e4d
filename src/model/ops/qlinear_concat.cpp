// qlinear_concat: quantised tensors side by side along `axis`, each brought to the scale of the result. Inputs: scale
// and zero point of the result, then each tensor with its scale and zero point. Cost: 4 an element.
#include <fmt/format.h>

#include "model/ops/elementwise.h"
#include "model/ops/example.h"
#include "model/ops/qlinear.h"
#include "model/ops/quantise.h"

namespace plimsoll {
namespace {

Result<std::vector<TensorType>> infer_qlinear_concat(const OpCall& call) {
  Shape shape = call.shape(2);
  PLIM_ASSIGN(const int axis, normalise_axis(call.attributes.integer("axis", 0), shape.rank()));
  Count along(shape[axis]);
  for (size_t i = 5; i < call.input_count(); i += 3) {
    if (!call.has(i)) return user_error(fmt::format("input {} is missing", i));
    Shape other = call.shape(i);
    if (other.rank() != shape.rank())
      return user_error(fmt::format("tensors {} and {} have different ranks", shape.text(), other.text()));
    along += Count(other[axis]);
    other[axis] = shape[axis];
    if (other != shape)
      return user_error(
          fmt::format("tensors {} and {} differ beside axis {}", shape.text(), call.shape(i).text(), axis));
  }
  shape[axis] = along.value();
  return std::vector{TensorType{call.dtype(2), shape}};
}

std::vector<OpExample> examples_qlinear_concat() {
  using example::f32;
  const auto u8 = quantised_input;
  return {{"two",
           {{"axis", int64_t{1}}},
           {f32({}), u8({}), u8({2, 3}), f32({}), u8({}), u8({2, 1}), f32({}), u8({})},
           1,
           true,
           false}};
}

}  // namespace

const Op& qlinear_concat_op() {
  static const Op op{.name = "qlinear_concat",
                     .kind = OpKind::movement,
                     .onnx = {"com.microsoft:QLinearConcat"},
                     .roles = "ccxccxccxccxccxccxccxccxcc",
                     .required_inputs = 5,
                     .infer = infer_qlinear_concat,
                     .cost = elementwise_cost<4>,
                     .gradient = decline_quantised,
                     .examples = examples_qlinear_concat};
  return op;
}

}  // namespace plimsoll
