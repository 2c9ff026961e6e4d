#include "tests/fuzz/random_graphs/bricks.h"

namespace plimsoll {
namespace {

using Laid = std::optional<ValueId>;

// Batch, channels and one to three more axes: x itself where it has them, else its numbers in another shape.
Laid as_image(GraphMaker& maker, ValueId x) {
  const int rank = maker.shape(x).rank();
  if (rank >= 3 && rank <= 5 && maker.dice.chance(0.9)) return x;
  Shape shape{maker.dice.from_to(1, 4), maker.dice.from_to(1, 9)};
  for (int64_t axes = maker.dice.from_to(1, 3); axes > 0; --axes) shape.push_back(maker.dice.from_to(1, 6));
  return maker.fit(x, shape);
}

Ints random_ints(Dice& dice, int count, int64_t first, int64_t last) {
  Ints result;
  for (int i = 0; i < count; ++i) result.push_back(dice.from_to(first, last));
  return result;
}

// Kernel, strides, dilations and pads, most of them plain.
Attributes random_window(Dice& dice, int axes, bool dilated) {
  Attributes window{{"kernel_shape", random_ints(dice, axes, 1, 3)}};
  if (dice.chance(0.6)) window.set("strides", random_ints(dice, axes, 1, 3));
  if (dilated && dice.chance(0.3)) window.set("dilations", random_ints(dice, axes, 1, 2));
  if (dice.chance(0.5)) window.set("pads", random_ints(dice, 2 * axes, 0, 2));
  return window;
}

int64_t random_divisor(Dice& dice, int64_t number) {
  Ints divisors;
  for (int64_t i = 1; i <= number; ++i)
    if (number % i == 0) divisors.push_back(i);
  return dice.pick(divisors);
}

Laid lay_conv(GraphMaker& maker, ValueId given) {
  const Laid x = as_image(maker, given);
  if (!x) return x;
  Dice& dice = maker.dice;
  const Shape in = maker.shape(*x);
  const int axes = in.rank() - 2;
  Attributes attributes = random_window(dice, axes, true);
  const int64_t group = dice.chance(0.3) ? random_divisor(dice, in[1]) : 1;
  attributes.set("group", group);
  Shape kernel{group * dice.from_to(1, group > 4 ? 2 : 8), in[1] / group};
  for (const int64_t size : attributes.integers("kernel_shape")) kernel.push_back(size);
  Ids inputs{*x, maker.parameter(kernel)};
  if (dice.chance(0.5)) inputs.push_back(maker.parameter({kernel[0]}));
  return maker.apply("conv", inputs, attributes);
}

// 3x3 and larger kernels on planes: what the faster ways of convolving are for.
Laid lay_plain_conv(GraphMaker& maker, ValueId given) {
  Dice& dice = maker.dice;
  const Laid x = maker.fit(given, {dice.from_to(1, 3), dice.from_to(1, 9), dice.from_to(5, 9), dice.from_to(5, 9)});
  if (!x) return x;
  const int64_t size = dice.pick<int64_t>({3, 3, 5, 7}), pad = dice.pick({int64_t{0}, size / 2});
  const Ints kernel{size, size};
  return maker.apply("conv", {*x, maker.parameter({dice.from_to(1, 17), maker.shape(*x)[1], size, size})},
                     {{"kernel_shape", kernel}, {"pads", Ints{pad, pad, pad, pad}}});
}

Laid lay_conv_transpose(GraphMaker& maker, ValueId given) {
  const Laid x = as_image(maker, given);
  if (!x) return x;
  Dice& dice = maker.dice;
  const Shape in = maker.shape(*x);
  Attributes attributes = random_window(dice, in.rank() - 2, true);
  const int64_t group = dice.chance(0.3) ? random_divisor(dice, in[1]) : 1;
  attributes.set("group", group);
  Shape kernel{in[1], dice.from_to(1, 4)};
  for (const int64_t size : attributes.integers("kernel_shape")) kernel.push_back(size);
  Ids inputs{*x, maker.parameter(kernel)};
  if (dice.chance(0.5)) inputs.push_back(maker.parameter({kernel[1] * group}));
  return maker.apply("conv_transpose", inputs, attributes);
}

Laid lay_pool(GraphMaker& maker, ValueId given) {
  const Laid x = as_image(maker, given);
  if (!x) return x;
  Dice& dice = maker.dice;
  const auto* op = dice.pick({"max_pool", "max_pool", "average_pool", "lp_pool"});
  Attributes attributes = random_window(dice, maker.shape(*x).rank() - 2, op[0] == 'm');
  if (dice.chance(0.3)) attributes.set("ceil_mode", int64_t{1});
  if (op[0] == 'a' && dice.chance(0.5)) attributes.set("count_include_pad", int64_t{1});
  return maker.apply(op, {*x}, attributes);
}

Laid lay_global_pool(GraphMaker& maker, ValueId given) {
  const Laid x = as_image(maker, given);
  const auto* op = maker.dice.pick({"global_average_pool", "global_max_pool"});
  return x ? maker.apply(op, {*x}) : x;
}

Laid lay_batch_norm(GraphMaker& maker, ValueId given) {
  const Laid x = maker.shape(given).rank() >= 2 ? given : as_image(maker, given);
  if (!x) return x;
  const Shape each{maker.shape(*x)[1]};
  const Ids inputs{*x, maker.parameter(each, Numbers::positive), maker.parameter(each),
                   maker.buffer(each, Numbers::both_signs), maker.buffer(each, Numbers::positive)};
  return maker.apply("batch_norm", inputs, {{"epsilon", maker.dice.pick({1e-5, 1e-3})}});
}

// conv → norm → relu, as networks have it and passes fuse it.
Laid lay_block(GraphMaker& maker, ValueId x) {
  const auto* conv = maker.dice.pick({"plain", "any"});
  Laid now = conv[0] == 'p' ? lay_plain_conv(maker, x) : lay_conv(maker, x);
  if (now && maker.dice.chance(0.8)) now = lay_batch_norm(maker, *now);
  return now && maker.dice.chance(0.8) ? maker.apply("relu", {*now}) : now;
}

Laid lay_layer_norm(GraphMaker& maker, ValueId x) {
  const Shape in = maker.shape(x);
  if (in.rank() == 0) return std::nullopt;
  const int64_t axis = maker.dice.below(in.rank());
  Shape part;
  for (int i = int(axis); i < in.rank(); ++i) part.push_back(in[i]);
  Ids inputs{x, maker.parameter(part)};
  if (maker.dice.chance(0.6)) inputs.push_back(maker.parameter(part));
  return maker.apply("layer_norm", inputs, {{"axis", axis}, {"epsilon", 1e-3}});
}

Laid lay_gemm(GraphMaker& maker, ValueId x) {
  Dice& dice = maker.dice;
  Laid rows = x;
  if (maker.shape(x).rank() != 2) rows = maker.apply("flatten", {x}, {{"axis", int64_t{dice.below(2)}}});
  if (!rows) return rows;
  const bool turned = dice.chance(0.2), other = dice.chance(0.5);
  const int64_t inner = maker.shape(*rows)[turned ? 0 : 1], outer = dice.from_to(1, 12);
  Attributes attributes{{"transA", int64_t{turned}}, {"transB", int64_t{other}}};
  if (dice.chance(0.2)) attributes.set("alpha", 0.5);
  if (dice.chance(0.2)) attributes.set("beta", 2.0);
  Ids inputs{*rows, maker.parameter(other ? Shape{outer, inner} : Shape{inner, outer})};
  if (dice.chance(0.6)) inputs.push_back(maker.parameter(dice.chance(0.7) ? Shape{outer} : Shape{1}));
  return maker.apply("gemm", inputs, attributes);
}

Laid lay_matmul(GraphMaker& maker, ValueId x) {
  Dice& dice = maker.dice;
  const Shape in = maker.shape(x);
  if (in.rank() == 0) return std::nullopt;
  const int64_t inner = in[in.rank() - 1];
  if (dice.chance(0.15)) return maker.apply("matmul", {x, maker.parameter({inner})});
  Shape weights{inner, dice.from_to(1, 7)};
  if (in.rank() >= 3 && dice.chance(0.3)) weights = {in[in.rank() - 3], inner, dice.from_to(1, 4)};
  if (dice.chance(0.2)) {  // the weights on the left
    if (in.rank() < 2) return std::nullopt;
    return maker.apply("matmul", {maker.parameter({dice.from_to(1, 5), in[in.rank() - 2]}), x});
  }
  return maker.apply("matmul", {x, maker.parameter(weights)});
}

}  // namespace

std::vector<WeightedBrick> layer_bricks() {
  return {{"conv", 6, lay_conv},    {"plain conv", 4, lay_plain_conv},   {"conv transpose", 2, lay_conv_transpose},
          {"pool", 5, lay_pool},    {"global pool", 1, lay_global_pool}, {"batch norm", 3, lay_batch_norm},
          {"block", 5, lay_block},  {"layer norm", 2, lay_layer_norm},   {"gemm", 3, lay_gemm},
          {"matmul", 4, lay_matmul}};
}

}  // namespace plimsoll
