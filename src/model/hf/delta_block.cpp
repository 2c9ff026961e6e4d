// A layer with a state that is corrected rather than added to: the gated delta rule (Yang 2024) of Qwen3-Next.
#include <cmath>

#include "model/hf/blocks.h"

namespace plimsoll {
namespace {

struct DeltaInputs {
  ValueId mixed, gate, strength, decay;  // mixed: queries, keys and values side by side
};

DeltaInputs project(Builder& b, const DeltaSpec& spec, ValueId x) {
  const int64_t keys = spec.key_heads * spec.key, values = spec.value_heads * spec.value;
  if (spec.packed) {
    const auto parts = split_last(b, "qkvz_split", b.linear("in_proj_qkvz", x, 2 * (keys + values), false),
                                  {2 * keys + values, values});
    const auto rest = split_last(b, "ba_split", b.linear("in_proj_ba", x, 2 * spec.value_heads, false),
                                 {spec.value_heads, spec.value_heads});
    return {parts[0], parts[1], rest[0], rest[1]};
  }
  return {b.linear("in_proj_qkv", x, 2 * keys + values, false), b.linear("in_proj_z", x, values, false),
          b.linear("in_proj_b", x, spec.value_heads, false), b.linear("in_proj_a", x, spec.value_heads, false)};
}

// How much of the state is left after a step, as a logarithm: -exp(A) · softplus(a + bias).
ValueId log_decay(Builder& b, ValueId a, int64_t heads) {
  const ValueId steps = b.apply("dt", "softplus", {b.add("dt_sum", a, b.parameter("dt_bias", {heads}))});
  const ValueId rates = b.apply("A", "neg", {b.apply("A_exp", "exp", {b.parameter("A_log", {heads})})});
  return b.apply("decay", "mul", {steps, rates});
}

ValueId unit_heads(Builder& b, const std::string& name, ValueId x, int64_t heads, int64_t head) {
  x = b.reshape(name + ".heads", x, {0, 0, heads, head});
  x = b.apply(name + ".unit", "lp_normalization", {x}, {{"axis", int64_t{-1}}, {"p", int64_t{2}}});
  return b.reshape(name + ".joined", x, {0, 0, heads * head});
}

}  // namespace

ValueId delta_block(Builder& b, const DeltaSpec& spec, ValueId x) {
  if (b.failed()) return x;
  const int64_t width = b.shape(x)[2], keys = spec.key_heads * spec.key, values = spec.value_heads * spec.value;
  const DeltaInputs in = project(b, spec, x);
  const auto qkv =
      split_last(b, "conv_split", causal_conv(b, "conv1d", in.mixed, spec.kernel, false), {keys, keys, values});
  const ValueId q = unit_heads(b, "q", qkv[0], spec.key_heads, spec.key);
  const ValueId k = unit_heads(b, "k", qkv[1], spec.key_heads, spec.key);
  const ValueId strength = b.apply("beta", "sigmoid", {in.strength});
  ValueId y =
      b.apply("delta_rule", "gated_delta_rule", {q, k, qkv[2], log_decay(b, in.decay, spec.value_heads), strength},
              {{"key_heads", spec.key_heads}});
  y = b.reshape("value_heads", y, {0, 0, spec.value_heads, spec.value});
  y = b.reshape("value_joined", norm(b, "norm", y, {.epsilon = spec.epsilon}), {0, 0, values});
  y = b.apply("gated", "mul", {y, b.apply("gate", "silu", {in.gate})});
  return b.linear("out_proj", y, width, false);
}

}  // namespace plimsoll
