#include "tests/fuzz/random_graphs/graph_maker.h"

#include <fmt/format.h>

#include <cmath>

#include "model/ir/evaluate.h"
#include "model/ops/all_ops.h"

namespace plimsoll {
namespace {

constexpr double kLargest = 30;         // of any number
constexpr int64_t kMostNumbers = 2500;  // of a tensor
constexpr int kHighestRank = 6;

Tensor in_doubles(const Tensor& tensor) {
  if (!is_floating(tensor.type.dtype) || tensor.type.dtype == DType::f64) return tensor;
  Tensor result(TensorType{DType::f64, tensor.type.shape});
  const auto numbers = tensor.doubles();
  std::copy(numbers.begin(), numbers.end(), result.as<double>());
  return result;
}

bool usable(const Tensor& tensor) {
  if (tensor.size() == 0 || int64_t(tensor.size()) > kMostNumbers || tensor.type.shape.rank() > kHighestRank)
    return false;
  if (!is_floating(tensor.type.dtype)) return true;
  for (const double number : tensor.doubles())
    if (!(std::abs(number) <= kLargest)) return false;
  return true;
}

}  // namespace

ValueId GraphMaker::add(Value value, TensorType type, Tensor numbers) {
  types_.push_back(std::move(type));
  numbers_.push_back(std::move(numbers));
  return graph_.add(std::move(value));
}

Tensor GraphMaker::fresh(const Shape& shape, Numbers numbers) {
  Tensor tensor(TensorType{DType::f32, shape});
  for (size_t i = 0; i < tensor.size(); ++i) {
    const double size = numbers == Numbers::above_one ? dice.between(1.1, 1.9) : dice.between(0.1, 0.9);
    tensor.as<float>()[i] = float(numbers == Numbers::both_signs && dice.chance(0.5) ? -size : size);
  }
  return tensor;
}

ValueId GraphMaker::input(const Shape& shape) {
  const ValueId id = add({"x", Role::input, DType::f32, fixed(shape), nullptr}, {DType::f32, shape},
                         in_doubles(fresh(shape, Numbers::both_signs)));
  graph_.inputs.push_back(id);
  return id;
}

ValueId GraphMaker::add_stored(Role role, const Shape& shape, Numbers numbers) {
  const std::string name = fmt::format("{}{}", role == Role::parameter ? "w" : "b", graph_.values.size());
  const Tensor tensor = fresh(shape, numbers);
  stored_[name] = tensor;
  return add({name, role, DType::f32, fixed(shape), nullptr}, tensor.type, in_doubles(tensor));
}

ValueId GraphMaker::parameter(const Shape& shape, Numbers numbers) {
  if (numbers == Numbers::both_signs && dice.chance(0.2)) {  // a weight that is used twice
    for (size_t i = 0; i < types_.size(); ++i)
      if (graph_.values[i].role == Role::parameter && types_[i].shape == shape) return {int32_t(i)};
  }
  return add_stored(Role::parameter, shape, numbers);
}

ValueId GraphMaker::buffer(const Shape& shape, Numbers numbers) { return add_stored(Role::buffer, shape, numbers); }

ValueId GraphMaker::constant(Tensor tensor) {
  const TensorType type = tensor.type;
  Tensor numbers = in_doubles(tensor);
  return add({fmt::format("c{}", graph_.values.size()), Role::constant, type.dtype, fixed(type.shape),
              std::make_shared<Tensor>(std::move(tensor))},
             type, std::move(numbers));
}

ValueId GraphMaker::add_node(std::string_view op, const Ids& inputs, const Attributes& attributes,
                             const std::vector<TensorType>& types, std::vector<Tensor> numbers) {
  Node node{&op_named(op), std::string(op), fmt::format("n{}", graph_.nodes.size()), inputs, {}, attributes};
  for (size_t i = 0; i < numbers.size(); ++i)
    node.outputs.push_back(
        add({fmt::format("v{}", graph_.values.size()), Role::activation, types[i].dtype, {}, nullptr}, types[i],
            in_doubles(numbers[i])));
  const ValueId first = node.outputs[0];
  graph_.nodes.push_back(std::move(node));
  return first;
}

std::optional<Ids> GraphMaker::apply(std::string_view name, const Ids& inputs, const Attributes& attributes,
                                     size_t outputs) {
  const Op& op = op_named(name);
  std::vector<const TensorType*> types;
  std::vector<const Tensor*> constants, numbers;
  for (const ValueId id : inputs) {
    const bool there = id.present();
    types.push_back(there ? &types_[size_t(id.index)] : nullptr);
    constants.push_back(there ? graph_.value(id).data.get() : nullptr);
    numbers.push_back(there ? &numbers_[size_t(id.index)] : nullptr);
  }
  const auto inferred = infer(op, OpCall(attributes, types, constants, outputs));
  if (!inferred.ok()) return std::nullopt;
  for (const auto& type : *inferred)
    if (type.elements() > Count(kMostNumbers)) return std::nullopt;
  auto results = evaluate(op, attributes, numbers, outputs);
  if (!results.ok() || !results->has_value()) return std::nullopt;
  (*results)->resize(std::min(outputs, (*results)->size()));
  for (const auto& result : **results)
    if (!usable(result)) return std::nullopt;
  const ValueId first = add_node(name, inputs, attributes, *inferred, std::move(**results));
  Ids ids;
  for (size_t i = 0; i < outputs; ++i) ids.push_back({first.index + int32_t(i)});
  return ids;
}

std::optional<ValueId> GraphMaker::apply(std::string_view op, const Ids& inputs, const Attributes& attributes) {
  const auto outputs = apply(op, inputs, attributes, 1);
  return outputs ? std::optional(outputs->at(0)) : std::nullopt;
}

ValueId GraphMaker::cast_unseen(ValueId x, DType to, int64_t onnx_type) {
  return add_node("cast", {x}, {{"to", onnx_type}}, {{to, shape(x)}}, {numbers(x)});
}

std::optional<ValueId> GraphMaker::fit(ValueId x, Shape wanted) {
  if (shape(x) == wanted) return x;
  const int64_t there = shape(x).elements().value(), needed = wanted.elements().value();
  if (needed > kMostNumbers) return std::nullopt;
  std::optional<ValueId> now = x;
  if (there != needed) {
    now = apply("reshape", {*now, ints({-1})});
    if (now && there < needed) now = apply("tile", {*now, ints({(needed + there - 1) / there})});
    if (now && shape(*now)[0] != needed) now = apply("slice", {*now, ints({0}), ints({needed}), ints({0})});
  }
  return now ? apply("reshape", {*now, ints(wanted.dims())}) : now;
}

ValueId GraphMaker::earlier(ValueId other) {
  Ids list{other};
  for (const auto& node : graph_.nodes)
    for (const ValueId id : node.outputs)
      if (dtype(id) == DType::f32) list.push_back(id);
  return dice.pick(list);
}

}  // namespace plimsoll
