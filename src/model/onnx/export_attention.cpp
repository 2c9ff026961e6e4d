#include "model/onnx/export_attention.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "model/onnx/export_attributes.h"

namespace plimsoll {
namespace {

using Axes = std::vector<int64_t>;

// (batch, tokens, heads × head) as (batch, kv heads, queries of each, …), the last two axes as `turn` has them.
std::string split_heads(NodeWriter& to, const Node& node, size_t input, const Axes& sizes, const Axes& turn) {
  const std::string split = to.fresh(node, "split"), turned = to.fresh(node, "turned");
  to.add("Reshape", {to.input(node, input), to.integers(node, "sizes", sizes)}, split);
  add_attribute(to.add("Transpose", {split}, turned), "perm", turn);
  return turned;
}

// Sequence × seen: a query sees its own token and those before it.
Tensor causal_bias(int64_t sequence, int64_t seen) {
  std::vector<float> bias(size_t(sequence * seen), 0);
  for (int64_t row = 0; row < sequence; ++row)
    for (int64_t column = row + 1; column < seen; ++column)
      bias[size_t(row * seen + column)] = -std::numeric_limits<float>::infinity();
  return float_tensor({sequence, seen}, bias);
}

Status check_plain(const NodeWriter& to, const Node& node) {
  for (const char* name : {"window", "chunk", "alibi"})
    if (node.attributes.integer(name, 0) != 0)
      return user_error(fmt::format("attention with {} is not exported", name));
  if (node.attributes.number("softcap", 0) != 0) return user_error("attention with softcap is not exported");
  if (to.has(node, 3) || to.has(node, 4)) return user_error("attention with a bias or sinks is not exported");
  return {};
}

}  // namespace

Status export_grouped_attention(NodeWriter& to, const Node& node) {
  PLIM_TRY(check_plain(to, node));
  PLIM_ASSIGN(const Shape queries, to.shape_of(node.inputs.at(0)));
  PLIM_ASSIGN(const Shape keys, to.shape_of(node.inputs.at(1)));
  PLIM_ASSIGN(const Shape values, to.shape_of(node.inputs.at(2)));
  const int64_t heads = node.attributes.integer("num_heads", 0),
                kv_heads = node.attributes.integer("kv_num_heads", heads);
  const int64_t head = queries[2] / heads, value_head = values[2] / kv_heads;
  const double stated = node.attributes.number("scale", 0), scale = stated != 0 ? stated : 1 / std::sqrt(double(head));
  const std::string q = split_heads(to, node, 0, {0, 0, kv_heads, heads / kv_heads, head}, {0, 2, 3, 1, 4});
  const std::string k = split_heads(to, node, 1, {0, 0, kv_heads, 1, head}, {0, 2, 3, 4, 1});
  const std::string v = split_heads(to, node, 2, {0, 0, kv_heads, 1, value_head}, {0, 2, 3, 1, 4});
  std::vector<std::string> step;
  for (const char* what : {"product", "scores", "hidden", "shares", "seen", "together"})
    step.push_back(to.fresh(node, what));
  const std::string factor = to.number(node, "scale", scale);
  to.add("MatMul", {q, k}, step[0]);
  to.add("Mul", {step[0], factor}, step[1]);
  std::string scores = step[1];
  if (node.attributes.integer("is_causal", 0) != 0) {
    const std::string bias = to.fresh(node, "later");
    to.write_constant(bias, causal_bias(queries[1], keys[1]));
    to.add("Add", {scores, bias}, step[2]);
    scores = step[2];
  }
  add_attribute(to.add("Softmax", {scores}, step[3]), "axis", int64_t{-1});
  to.add("MatMul", {step[3], v}, step[4]);
  add_attribute(to.add("Transpose", {step[4]}, step[5]), "perm", Axes{0, 3, 1, 2, 4});
  to.add("Reshape", {step[5], to.integers(node, "joined", {0, 0, heads * value_head})}, to.output(node));
  return {};
}

}  // namespace plimsoll
