#include "model/ops/gradient.h"

#include "model/ir/evaluate.h"
#include "model/ir/for_type.h"
#include "model/ops/all_ops.h"
#include "model/ops/doubles.h"

namespace plimsoll {
namespace {

Shape shape_attribute(const Attributes& attributes) { return Shape(attributes.integers("input_shape")); }

// Numbers 1, 2, … in the shape; 0 is left for what was not moved but put there, such as padding.
Tensor places(const Shape& shape) {
  Tensor tensor(TensorType{DType::i64, shape});
  for (size_t i = 0; i < tensor.size(); ++i) tensor.as<int64_t>()[i] = int64_t(i) + 1;
  return tensor;
}

Tensor copy_of(const TensorView& view) {
  Tensor tensor(*view.type);
  std::copy_n(view.data, tensor.bytes.size(), tensor.bytes.data());
  return tensor;
}

}  // namespace

std::vector<int64_t> sizes_of(const Shape& shape) { return {shape.begin(), shape.end()}; }

ValueId like_input(Backward& backward, size_t i, ValueId value) {
  if (!value.present() || backward.type_of(value).shape == backward.call().shape(i)) return value;
  return backward.emit(op_named("sum_to"), {value}, {{"shape", sizes_of(backward.call().shape(i))}});
}

ValueId sum_per_channel(Backward& backward, ValueId value) {
  std::vector<int64_t> axes{0};
  for (int axis = 2; axis < backward.type_of(value).shape.rank(); ++axis) axes.push_back(axis);
  return backward.emit(op_named("reduce_sum"), {value}, {{"axes", axes}, {"keepdims", int64_t{0}}});
}

ValueId scaled(Backward& backward, ValueId value, double factor) {
  if (factor == 1 || !value.present()) return value;
  Tensor number(TensorType{backward.type_of(value).dtype, {}});
  if (!for_float(number.type.dtype, [&](auto zero) { *number.as<decltype(zero)>() = decltype(zero)(factor); }))
    number = float_tensor({}, {float(factor)});
  return backward.emit(op_named("mul"), {value, backward.constant(std::move(number))});
}

ValueId zeros(Backward& backward, const TensorType& type) {
  const ValueId shape = backward.constant(integer_tensor(sizes_of(type.shape)));
  Tensor zero(TensorType{type.dtype, {1}});
  const auto value = std::make_shared<Tensor>(std::move(zero));
  return backward.emit(op_named("constant_of_shape"), {shape}, {{"value", TensorPtr(value)}});
}

void view_gradient(Backward& backward) {
  if (!backward.wants(0)) return;
  const auto sizes = sizes_of(backward.call().shape(0));
  const bool empty = backward.call().type(0).elements() == Count(0);
  const Attributes attributes{{"shape", sizes}, {"allowzero", int64_t{empty ? 1 : 0}}};
  backward.set(0, backward.emit(op_named("reshape"), {backward.gradient()}, attributes));
}

Result<std::vector<TensorType>> infer_moved_back(const OpCall& call) {
  return std::vector{TensorType{call.dtype(0), shape_attribute(call.attributes)}};
}

Cost cost_moved_back(const OpCall& call) { return {{}, as<Flops>(call.type(0).elements())}; }

bool moved_back(const Op& forward, const OpCall& call, std::span<const TensorView> in,
                std::span<const TensorView> out) {
  if (!all_numbers(in, out)) return false;
  std::vector<Tensor> arguments{places(shape_attribute(call.attributes))};
  for (size_t i = 1; i < in.size(); ++i) arguments.push_back(in[i].present() ? copy_of(in[i]) : Tensor());
  std::vector<const Tensor*> pointers;
  for (size_t i = 0; i < arguments.size(); ++i) pointers.push_back(i == 0 || in[i].present() ? &arguments[i] : nullptr);
  const auto moved = evaluate(forward, call.attributes, pointers, 1);
  if (!moved.ok() || !moved->has_value()) return false;
  const Tensor& from = (**moved)[0];
  const auto dy = read_doubles(in[0]);
  std::vector<double> dx(size_t(out[0].size()));
  for (size_t i = 0; i < dy.size(); ++i)
    if (const int64_t place = from.as<int64_t>()[i]; place > 0) dx[size_t(place - 1)] += dy[i];
  write_doubles(out, 0, dx);
  return true;
}

void emit_moved_back(Backward& backward, const Op& grad, std::optional<size_t> unread) {
  if (!backward.wants(0)) return;
  std::vector<ValueId> inputs{backward.gradient()};
  for (size_t i = 1; i < backward.call().input_count(); ++i)
    inputs.push_back(i == unread ? ValueId{} : backward.input(i));
  backward.set(0, backward.emit(grad, std::move(inputs),
                                with(backward.attributes(), "input_shape", sizes_of(backward.call().shape(0)))));
}

}  // namespace plimsoll
