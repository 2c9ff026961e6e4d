#include <algorithm>

#include "tests/fuzz/random_graphs/bricks.h"

namespace plimsoll {
namespace {

using Laid = std::optional<ValueId>;

// A shape that broadcasts to `whole`: leading axes left out, others of size 1.
Shape narrower(Dice& dice, const Shape& whole) {
  Shape result;
  for (int axis = int(dice.below(whole.rank() + 1)); axis < whole.rank(); ++axis)
    result.push_back(dice.chance(0.3) ? 1 : whole[axis]);
  return result;
}

// The other operand: a parameter, itself a function of one at times, or something computed before.
Laid operand(GraphMaker& maker, ValueId x) {
  Dice& dice = maker.dice;
  if (dice.chance(0.1)) return x;
  const Shape shape = dice.chance(0.5) ? maker.shape(x) : narrower(dice, maker.shape(x));
  if (dice.chance(0.4)) return maker.fit(maker.earlier(x), shape);
  const ValueId weight = maker.parameter(shape, dice.pick({Numbers::both_signs, Numbers::positive}));
  if (dice.chance(0.7)) return weight;
  return maker.apply(dice.pick({"tanh", "exp", "sigmoid", "abs", "neg", "relu"}), {weight});
}

Laid lay_pair(GraphMaker& maker, ValueId x) {
  const auto other = operand(maker, x);
  if (!other) return other;
  const auto* op = maker.dice.pick({"add", "add", "sub", "mul", "mul", "div", "max", "min", "mean", "sum"});
  return maker.dice.chance(0.8) ? maker.apply(op, {x, *other}) : maker.apply(op, {*other, x});
}

Laid lay_residual(GraphMaker& maker, ValueId x) {
  const auto other = maker.fit(maker.earlier(x), maker.shape(x));
  const Laid sum = other ? maker.apply("add", {x, *other}) : std::nullopt;
  return sum && maker.dice.chance(0.5) ? maker.apply("relu", {*sum}) : sum;
}

Laid lay_concat(GraphMaker& maker, ValueId x) {
  Dice& dice = maker.dice;
  const Shape shape = maker.shape(x);
  if (shape.rank() == 0) return std::nullopt;
  const int axis = int(dice.below(shape.rank()));
  Ids parts{x};
  for (int64_t more = dice.from_to(1, 2); more > 0; --more) {
    Shape wanted = shape;
    wanted[axis] = dice.from_to(1, 3);
    const auto part = dice.chance(0.3) ? x : maker.fit(maker.earlier(x), wanted);
    if (!part) return part;
    parts.insert(dice.chance(0.5) ? parts.begin() : parts.end(), *part);
  }
  return maker.apply("concat", parts, {{"axis", int64_t(dice.chance(0.3) ? axis - shape.rank() : axis)}});
}

// Cut in two, one piece changed, and put together again; or one piece alone.
Laid lay_split(GraphMaker& maker, ValueId x) {
  Dice& dice = maker.dice;
  const Shape shape = maker.shape(x);
  if (shape.rank() == 0) return std::nullopt;
  const auto axis = dice.below(shape.rank());
  if (shape[int(axis)] < 2) return std::nullopt;
  const int64_t first = dice.from_to(1, shape[int(axis)] - 1);
  const auto pieces = maker.apply("split", {x, maker.ints({first, shape[int(axis)] - first})}, {{"axis", axis}}, 2);
  if (!pieces) return std::nullopt;
  if (dice.chance(0.3)) return pieces->at(size_t(dice.below(2)));
  const Laid changed = maker.apply(dice.pick({"tanh", "relu", "sigmoid", "neg"}), {pieces->at(0)});
  return changed ? maker.apply("concat", {pieces->at(1), *changed}, {{"axis", axis}}) : changed;
}

Laid lay_slice(GraphMaker& maker, ValueId x) {
  Dice& dice = maker.dice;
  const Shape shape = maker.shape(x);
  if (shape.rank() == 0) return std::nullopt;
  const auto axis = dice.below(shape.rank());
  const int64_t size = shape[int(axis)], step = dice.pick<int64_t>({1, 1, 2, -1, -2});
  const int64_t from = dice.below(size), to = step > 0 ? dice.from_to(from + 1, size + 1) : -size - 1;
  return maker.apply("slice", {x, maker.ints({from}), maker.ints({to}), maker.ints({axis}), maker.ints({step})});
}

Laid lay_pad(GraphMaker& maker, ValueId x) {
  Dice& dice = maker.dice;
  Ints pads;
  for (int i = 0; i < 2 * maker.shape(x).rank(); ++i) pads.push_back(dice.chance(0.7) ? 0 : dice.from_to(-1, 2));
  return maker.apply("pad", {x, maker.ints(pads)}, {{"mode", std::string(dice.pick({"constant", "edge", "reflect"}))}});
}

Laid lay_transpose(GraphMaker& maker, ValueId x) {
  Ints order;
  for (int axis = 0; axis < maker.shape(x).rank(); ++axis)
    order.insert(order.begin() + maker.dice.below(axis + 1), axis);
  return maker.apply("transpose", {x}, {{"perm", order}});
}

Laid lay_reshape(GraphMaker& maker, ValueId x) {
  int64_t left = maker.shape(x).elements().value();
  Ints shape;
  for (int64_t axes = maker.dice.from_to(1, 4); axes > 0; --axes) {
    Ints divisors;
    for (int64_t i = 1; i <= std::min<int64_t>(left, 12); ++i)
      if (left % i == 0) divisors.push_back(i);
    shape.push_back(maker.dice.pick(divisors));
    left /= shape.back();
  }
  shape.insert(shape.begin() + maker.dice.below(int64_t(shape.size()) + 1), left);
  return maker.apply("reshape", {x, maker.ints(shape)});
}

Laid lay_reduce(GraphMaker& maker, ValueId x) {
  Dice& dice = maker.dice;
  const int rank = maker.shape(x).rank();
  Ints axes;
  for (int axis = 0; axis < rank; ++axis)
    if (dice.chance(0.4)) axes.push_back(dice.chance(0.3) ? axis - rank : axis);
  if (axes.empty() && rank > 0) axes.push_back(rank - 1);
  const Attributes keeps{{"keepdims", int64_t{dice.below(2)}}};
  if (dice.chance(0.3)) return maker.apply("reduce_sum", {x, maker.ints(axes)}, keeps);
  Attributes attributes = keeps;
  attributes.set("axes", axes);
  return maker.apply(dice.pick({"reduce_mean", "reduce_max", "reduce_min", "reduce_l1", "reduce_l2",
                                "reduce_log_sum_exp", "reduce_sum_square", "reduce_prod"}),
                     {x}, attributes);
}

Laid lay_softmax(GraphMaker& maker, ValueId x) {
  const int rank = maker.shape(x).rank();
  if (rank == 0) return std::nullopt;
  const int64_t axis = maker.dice.from_to(-rank, rank - 1);
  return maker.apply(maker.dice.pick({"softmax", "log_softmax", "softmax", "hardmax"}), {x}, {{"axis", axis}});
}

Laid lay_gather(GraphMaker& maker, ValueId x) {
  Dice& dice = maker.dice;
  const Shape shape = maker.shape(x);
  if (shape.rank() == 0) return std::nullopt;
  const auto axis = dice.below(shape.rank());
  const int64_t size = shape[int(axis)];
  Ints places;
  for (int64_t count = dice.from_to(1, 4); count > 0; --count) places.push_back(dice.from_to(-size, size - 1));
  return maker.apply("gather", {x, maker.ints(places)}, {{"axis", axis}});
}

Laid lay_axes(GraphMaker& maker, ValueId x) {
  Dice& dice = maker.dice;
  const Shape shape = maker.shape(x);
  const bool has_one = std::find(shape.begin(), shape.end(), 1) != shape.end();
  if (!has_one || dice.chance(0.4)) return maker.apply("unsqueeze", {x, maker.ints({dice.below(shape.rank() + 1)})});
  for (int axis = 0; axis < shape.rank(); ++axis)
    if (shape[axis] == 1) return maker.apply("squeeze", {x, maker.ints({axis})});
  return std::nullopt;
}

Laid lay_expand(GraphMaker& maker, ValueId x) {
  Ints shape = maker.shape(x).dims();
  for (auto& size : shape)
    if (size == 1) size = maker.dice.from_to(1, 4);
  if (maker.dice.chance(0.4)) shape.insert(shape.begin(), maker.dice.from_to(1, 3));
  return maker.apply("expand", {x, maker.ints(shape)});
}

Laid lay_dropout(GraphMaker& maker, ValueId x) {
  return maker.apply("dropout", {x, maker.constant(float_tensor({}, {maker.dice.pick({0.0F, 0.25F, 0.5F})}))});
}

Laid lay_where(GraphMaker& maker, ValueId x) {
  const auto other = operand(maker, x);
  const auto zero = maker.constant(float_tensor({}, {0.1F}));
  const auto condition = other ? maker.apply(maker.dice.pick({"greater", "less"}), {x, zero}) : std::nullopt;
  return condition ? maker.apply("where", {*condition, x, *other}) : std::nullopt;
}

// There and back, through integers or within f32.
Laid lay_cast(GraphMaker& maker, ValueId x) {
  constexpr int64_t kFloat = 1, kInt32 = 6, kInt64 = 7;
  const Laid there = maker.apply("cast", {x}, {{"to", maker.dice.pick({kFloat, kFloat, kInt32, kInt64})}});
  return there ? maker.apply("cast", {*there}, {{"to", kFloat}}) : there;
}

// Formats that we plan but do not compute in: the network is refused.
Laid lay_half(GraphMaker& maker, ValueId x) {
  const bool brain = maker.dice.chance(0.5);
  const ValueId half = maker.cast_unseen(x, brain ? DType::bf16 : DType::f16, brain ? 16 : 10);
  return maker.cast_unseen(half, DType::f32, 1);
}

}  // namespace

std::vector<WeightedBrick> shape_bricks() {
  return {{"pair", 8, lay_pair},           {"residual", 5, lay_residual}, {"concat", 4, lay_concat},
          {"split", 3, lay_split},         {"slice", 3, lay_slice},       {"pad", 2, lay_pad},
          {"transpose", 4, lay_transpose}, {"reshape", 4, lay_reshape},   {"reduce", 4, lay_reduce},
          {"softmax", 3, lay_softmax},     {"gather", 2, lay_gather},     {"axes", 2, lay_axes},
          {"expand", 1, lay_expand},       {"dropout", 2, lay_dropout},   {"where", 1, lay_where},
          {"cast", 1, lay_cast},           {"half", 1, lay_half}};
}

}  // namespace plimsoll
