// Every example of every operation that a training step may hold, as a brick: on the value as it is where its shape
// suits, else on its numbers in the example's own shape; with the numbers moved to where the operation is defined.
#include "model/ops/all_ops.h"
#include "tests/fuzz/random_graphs/bricks.h"

namespace plimsoll {
namespace {

using Laid = std::optional<ValueId>;

enum class Moved { not_at_all, positive, above_one, inside_one };

Laid moved(GraphMaker& maker, ValueId x, Moved how) {
  const auto number = [&](float value) { return maker.constant(float_tensor({}, {value})); };
  if (how == Moved::not_at_all) return x;
  if (how == Moved::inside_one) {
    const Laid inside = maker.apply("tanh", {x});
    return inside ? maker.apply("mul", {*inside, number(0.9F)}) : inside;
  }
  const Laid above = maker.apply("sigmoid", {x});
  return above ? maker.apply("add", {*above, number(how == Moved::positive ? 0.1F : 1.1F)}) : above;
}

// Integers that are not settings stand for labels and places: 0 or 1.
Tensor random_bits(Dice& dice, const TensorType& type) {
  Tensor tensor(type);
  for (size_t i = 0; i < tensor.size(); ++i) tensor.bytes[i * element_size(type.dtype)] = std::byte(dice.below(2));
  return tensor;
}

Laid example_input(GraphMaker& maker, const Op& op, const OpExample& example, size_t i, ValueId x) {
  const OpExample::Input& given = example.inputs[i];
  const char role = op.role(i);
  if (given.constant) return maker.constant(*given.constant);
  if (given.type.dtype != DType::f32) return maker.constant(random_bits(maker.dice, given.type));
  if (role == 'b') return maker.buffer(given.type.shape, Numbers::positive);
  if (role == 'x' && maker.dice.chance(0.4)) return maker.fit(maker.earlier(x), given.type.shape);
  return maker.parameter(given.type.shape, maker.dice.pick({Numbers::both_signs, Numbers::positive}));
}

Laid lay_example(GraphMaker& maker, ValueId given, const Op& op, const OpExample& example) {
  Dice& dice = maker.dice;
  const Laid x =
      moved(maker, given,
            dice.pick({Moved::not_at_all, Moved::not_at_all, Moved::positive, Moved::above_one, Moved::inside_one}));
  if (!x) return x;
  std::optional<Ids> results;
  if (example.inputs.size() == 1) results = maker.apply(op.name, {*x}, example.attributes, example.outputs);
  if (!results) {
    const Laid fitted = maker.fit(*x, example.inputs[0].type.shape);
    if (!fitted) return fitted;
    Ids inputs{*fitted};
    for (size_t i = 1; i < example.inputs.size(); ++i) {
      const Laid input = example_input(maker, op, example, i, *x);
      if (!input) return input;
      inputs.push_back(*input);
    }
    results = maker.apply(op.name, inputs, example.attributes, example.outputs);
  }
  if (!results) return std::nullopt;
  for (const ValueId id : *results)
    if (maker.dtype(id) == DType::f32) return id;
  return maker.apply("cast", {results->at(0)}, {{"to", int64_t{1}}});
}

bool may_stand(const Op& op) {
  return op.reference && op.examples && !op.onnx.empty() && op.control == Control::none && !op.data_dependent &&
         !op.random;
}

}  // namespace

std::vector<WeightedBrick> example_bricks() {
  std::vector<WeightedBrick> bricks;
  for (const Op* op : all_ops()) {
    if (!may_stand(*op)) continue;
    for (const OpExample& example : op->examples()) {
      if (example.inputs.empty() || example.inputs[0].constant || example.inputs[0].type.dtype != DType::f32) continue;
      bricks.push_back({std::string(op->name) + ": " + example.what, 1,
                        [op, example](GraphMaker& maker, ValueId x) { return lay_example(maker, x, *op, example); }});
    }
  }
  return bricks;
}

}  // namespace plimsoll
