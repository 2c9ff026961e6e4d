#include "model/zoo/attention_layer.h"

#include <fmt/format.h>

#include <cmath>

namespace plimsoll {

namespace {

ValueId add_mask(Builder& b, ValueId scores, const AttentionOptions& options) {
  if (options.groups == 1) return b.add("mask", scores, options.mask);
  const int64_t heads = options.heads, tokens = options.tokens;
  scores = b.reshape("mask.split", scores, {-1, options.groups, heads, tokens, tokens});
  return b.reshape("mask.join", b.add("mask", scores, options.mask), {-1, heads, tokens, tokens});
}

}  // namespace

ValueId attention(Builder& b, ValueId q, ValueId k, ValueId v, const AttentionOptions& options) {
  const int64_t head_width = options.width / options.heads;
  const auto by_head = [&](const std::string& name, ValueId x, const Sizes& order) {
    return b.transpose(name + ".transpose", b.reshape(name + ".reshape", x, {0, 0, options.heads, head_width}), order);
  };
  const ValueId scale = b.constant("scale.factor", float_tensor({}, {1 / std::sqrt(float(head_width))}));
  q = b.apply("scale", "mul", {by_head("q", q, {0, 2, 1, 3}), scale});
  k = by_head("k", k, {0, 2, 3, 1});
  v = by_head("v", v, {0, 2, 1, 3});
  ValueId weights = b.apply("scores", "matmul", {q, k});
  if (options.mask.present()) weights = add_mask(b, weights, options);
  weights = b.apply("softmax", "softmax", {weights}, {{"axis", int64_t{-1}}});
  if (options.dropout > 0) weights = b.dropout("dropout", weights, options.dropout);
  const ValueId mixed = b.transpose("context.transpose", b.apply("context", "matmul", {weights, v}), {0, 2, 1, 3});
  return b.reshape("context.reshape", mixed, {0, 0, options.width});
}

std::vector<ValueId> project_qkv(Builder& b, const std::string& name, ValueId x, int64_t width) {
  x = b.linear(name, x, 3 * width);
  const ValueId sizes = b.constant(name + ".split.sizes", integer_tensor({width, width, width}));
  return b.apply_many(name + ".split", "split", {x, sizes}, {{"axis", int64_t{-1}}}, 3);
}

ValueId learned_positions(Builder& b, const std::string& name, int64_t count, int64_t most, int64_t width) {
  if (count > most)
    b.fail(user_error(
        fmt::format("a sequence of {} tokens was asked for, the network has positions for {}", count, most)));
  const ValueId table = b.parameter(name + ".weight", {most, width});
  return b.apply(
      name, "slice",
      {table, b.constant(name + ".starts", integer_tensor({0})), b.constant(name + ".ends", integer_tensor({count})),
       b.constant(name + ".axes", integer_tensor({0}))});
}

}  // namespace plimsoll
