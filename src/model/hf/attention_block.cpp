#include <fmt/format.h>

#include "model/hf/blocks.h"

namespace plimsoll {
namespace {

struct Projected {
  ValueId q, k, v;
};

Projected project(Builder& b, const AttentionSpec& spec, ValueId x, ValueId memory) {
  const int64_t value_head = spec.value_head ? spec.value_head : spec.head;
  const int64_t q = spec.heads * spec.head * (spec.output_gate ? 2 : 1), k = spec.kv_heads * spec.head,
                v = spec.kv_heads * value_head;
  if (spec.packed.empty())
    return {b.linear(spec.q, x, q, spec.bias), b.linear(spec.k, memory, k, spec.key_bias.value_or(spec.bias)),
            b.linear(spec.v, memory, v, spec.bias)};
  const auto parts = split_last(b, spec.packed + ".split", b.linear(spec.packed, x, q + k + v, spec.bias), {q, k, v});
  return {parts[0], parts[1], parts[2]};
}

// A norm of each head by itself: its numbers are made the last axis and joined again.
ValueId norm_heads(Builder& b, const std::string& name, ValueId x, int64_t heads, const AttentionSpec& spec) {
  if (spec.qk_norm == QkNorm::whole) return norm(b, name, x, spec.head_norm);
  x = b.reshape(name + ".heads", x, {0, 0, heads, spec.head});
  return b.reshape(name + ".joined", norm(b, name, x, spec.head_norm), {0, 0, heads * spec.head});
}

// Stored in every file; no token of a text sees all unless a task says which.
void add_global_projections(Builder& b, const AttentionSpec& spec, int64_t width) {
  for (const auto& name : {spec.q, spec.k, spec.v}) {
    b.parameter(name + "_global.weight", {spec.heads * spec.head, width});
    b.parameter(name + "_global.bias", {spec.heads * spec.head});
  }
}

// Scores each key for each query by a few short heads, so that a long sequence's queries see the best keys alone. Up to
// so many tokens every key is seen, which is what is built here, whatever the length.
void add_indexer(Builder& b, const LatentSpec& spec, ValueId x, ValueId queries) {
  const auto scope = b.enter("indexer");
  b.linear("wq_b", queries, spec.index_heads * spec.index_head, false);
  norm(b, "k_norm", b.linear("wk", x, spec.index_head, false), {NormKind::layer, spec.norm.epsilon, ""});
  b.linear("weights_proj", x, spec.index_heads, false);
}

// How strongly a token's head heeds distance: two sigmoids of four sums each, one of them with a learned constant.
ValueId weighed_bias(Builder& b, const AttentionSpec& spec, ValueId x, ValueId bias) {
  if (b.failed()) return bias;
  const ValueId heads =
      b.transpose("gru.heads_first", b.reshape("gru.heads", x, {0, 0, spec.heads, spec.head}), {0, 2, 1, 3});
  const ValueId pairs = b.reshape("gru.pairs", b.linear("gru_rel_pos_linear", heads, 8), {0, 0, 0, 2, 4});
  const ValueId sums = b.apply("gru.sums", "reduce_sum", {pairs, b.constant("gru.axes", integer_tensor({4}))},
                               {{"keepdims", int64_t{0}}});
  const auto gates = split_last(b, "gru.gates", b.apply("gru.sigmoid", "sigmoid", {sums}), {1, 1});
  const auto number = [&](const char* name, float value) { return b.constant(name, float_tensor({}, {value})); };
  const ValueId learned = b.parameter("gru_rel_pos_const", {1, spec.heads, 1, 1});
  const ValueId inner =
      b.apply("gru.less_one", "sub", {b.apply("gru.times", "mul", {gates[1], learned}), number("gru.one", 1)});
  const ValueId gate = b.add("gru.gate", b.apply("gru.product", "mul", {gates[0], inner}), number("gru.two", 2));
  return b.apply("gru.bias", "mul", {gate, bias});
}

// Factors from what a token is, for each number or for each head.
ValueId gated_heads(Builder& b, const AttentionSpec& spec, ValueId token, ValueId x) {
  if (b.failed()) return x;
  const int64_t numbers = b.shape(x)[2], gates = spec.gates_heads ? spec.heads : numbers;
  const ValueId open = b.apply("gate.activation", spec.gate_activation, {b.linear(spec.gate, token, gates, false)});
  if (!spec.gates_heads) return b.apply("gated", "mul", {x, open});
  const ValueId heads = b.reshape("gated.heads", x, {0, 0, spec.heads, numbers / spec.heads});
  const ValueId each = b.apply("gated", "mul", {heads, b.reshape("gate.heads", open, {0, 0, spec.heads, 1})});
  return b.reshape("gated.joined", each, {0, 0, numbers});
}

}  // namespace

Attributes attention_attributes(const AttentionSpec& spec) {
  Attributes attributes{{"num_heads", spec.heads}, {"kv_num_heads", spec.kv_heads}};
  const auto set = [&](const char* name, int64_t value) {
    if (value != 0) attributes.set(name, value);
  };
  set("is_causal", spec.causal);
  set("window", spec.window);
  set("chunk", spec.chunk);
  set("alibi", spec.alibi);
  set("upcast", spec.upcast);
  set("repeats_keys", spec.repeats_keys);
  // PyTorch's own kernel knows no sinks and bends no scores.
  set("single_operations", spec.single_operations || spec.sinks || spec.softcap != 0);
  // Turned in part, or cut from one layer: transformers puts queries together head by head.
  set("heads_first", spec.rope && (spec.rope->turned > 0 || !spec.packed.empty()));
  if (spec.scale != 0) attributes.set("scale", spec.scale);
  if (spec.softcap != 0) attributes.set("softcap", spec.softcap);
  return attributes;
}

ValueId attention_block(Builder& b, const AttentionSpec& spec, ValueId x, ValueId memory, ValueId bias) {
  if (b.failed()) return x;
  const int64_t width = b.shape(x)[2];
  if (spec.global_tokens) add_global_projections(b, spec, width);
  const ValueId token = x;
  if (spec.gated_bias && bias.present()) bias = weighed_bias(b, spec, x, bias);
  Projected p = project(b, spec, x, memory);
  ValueId gate;
  if (spec.output_gate) {
    const auto parts = split_last(b, spec.q + ".split", p.q, {spec.heads * spec.head, spec.heads * spec.head});
    p.q = parts[0];
    gate = parts[1];
  }
  const auto norm_both = [&] {
    if (spec.qk_norm == QkNorm::none) return;
    p.q = norm_heads(b, spec.q_norm, p.q, spec.heads, spec);
    p.k = norm_heads(b, spec.k_norm, p.k, spec.kv_heads, spec);
  };
  if (!spec.turned_first) norm_both();
  if (spec.rope) {
    p.q = turn(b, "rope_q", p.q, spec.heads, *spec.rope);
    p.k = turn(b, "rope_k", p.k, spec.kv_heads, *spec.rope);
  }
  if (spec.turned_first) norm_both();
  if (spec.value_norm) {
    const int64_t head = spec.value_head ? spec.value_head : spec.head;
    p.v = b.reshape("v_norm.heads", p.v, {0, 0, spec.kv_heads, head});
    p.v = norm(b, "v_norm", p.v, {NormKind::rms_without_parameters, spec.head_norm.epsilon, "llama"});
    p.v = b.reshape("v_norm.joined", p.v, {0, 0, spec.kv_heads * head});
  }
  std::vector<ValueId> inputs{p.q, p.k, p.v};
  if (bias.present() || spec.sinks) inputs.push_back(bias);
  if (spec.sinks) inputs.push_back(b.parameter("sinks", {spec.heads}));
  x = b.apply_many("attention", "grouped_attention", std::move(inputs), attention_attributes(spec), 2)[0];
  if (!spec.gate.empty()) x = gated_heads(b, spec, token, x);
  if (gate.present()) x = b.apply("gated", "mul", {x, b.apply("gate", "sigmoid", {gate})});
  return b.linear(spec.o, x, width, spec.output_bias.value_or(spec.bias));
}

// Queries and keys have a part with positions and one without. The keys' part with positions is one for all heads.
ValueId latent_attention_block(Builder& b, const LatentSpec& spec, ValueId x) {
  if (b.failed()) return x;
  const int64_t width = b.shape(x)[2], heads = spec.heads, head = spec.nope + spec.turned;
  ValueId q = x;
  if (spec.q_rank > 0) q = norm(b, "q_a_layernorm", b.linear("q_a_proj", x, spec.q_rank, spec.bias), spec.norm);
  if (spec.index_heads > 0) add_indexer(b, spec, x, q);
  q = b.linear(spec.q_rank > 0 ? "q_b_proj" : "q_proj", q, heads * head, false);
  const auto both =
      split_last(b, "kv_a_split", b.linear("kv_a_proj_with_mqa", x, spec.kv_rank + spec.turned, spec.bias),
                 {spec.kv_rank, spec.turned});
  const ValueId latent = norm(b, "kv_a_layernorm", both[0], spec.norm);
  const ValueId kv = b.reshape("kv_heads", b.linear("kv_b_proj", latent, heads * (spec.nope + spec.value), false),
                               {0, 0, heads, spec.nope + spec.value});
  const auto kv_parts = split_last(b, "kv_split", kv, {spec.nope, spec.value});
  const auto q_parts = split_last(b, "q_split", b.reshape("q_heads", q, {0, 0, heads, head}), {spec.nope, spec.turned});
  const ValueId q_flat = b.reshape("q_turned_flat", q_parts[1], {0, 0, heads * spec.turned});
  const ValueId q_turned =
      b.reshape("q_turned", turn(b, "rope_q", q_flat, heads, *spec.rope), {0, 0, heads, spec.turned});
  const ValueId k_one = b.reshape("k_turned", turn(b, "rope_k", both[1], 1, *spec.rope), {0, 0, 1, spec.turned});
  const ValueId k_turned = b.apply("k_for_each_head", "tile",
                                   {k_one, b.constant("k_for_each_head.times", integer_tensor({1, 1, heads, 1}))});
  q = b.reshape("q_joined", b.concat("q_parts", {q_parts[0], q_turned}, -1), {0, 0, heads * head});
  const ValueId k = b.reshape("k_joined", b.concat("k_parts", {kv_parts[0], k_turned}, -1), {0, 0, heads * head});
  const ValueId v = b.reshape("v_joined", kv_parts[1], {0, 0, heads * spec.value});
  AttentionSpec attention{.heads = heads, .kv_heads = heads, .scale = spec.scale};
  Attributes attributes = attention_attributes(attention);
  attributes.set("latent", spec.kv_rank + spec.turned);
  x = b.apply_many("attention", "grouped_attention", {q, k, v}, std::move(attributes), 2)[0];
  return b.linear("o_proj", x, width, spec.bias);
}

}  // namespace plimsoll
