// Attention without a softmax, older keys weighing less: the lightning attention of MiniMax-Text-01 (2025). It is the
// scan of Mamba 2 with keys and queries in the places of its B and C, a step of 1 and a rate that no training changes.
#include "model/hf/blocks.h"

namespace plimsoll {

ValueId lightning_block(Builder& b, const LightningSpec& spec, ValueId x) {
  if (b.failed()) return x;
  const int64_t width = b.shape(x)[2], heads = spec.heads, head = spec.head, all = heads * head;
  ValueId packed = activate(b, "qkv_act", b.linear("qkv_proj", x, 3 * all, false), spec.activation);
  packed = b.reshape("qkv_heads", packed, {0, 0, heads, 3 * head});
  auto parts = split_last(b, "qkv_split", packed, {head, head, head});
  if (b.failed()) return x;
  for (size_t i = 0; i < parts.size(); ++i)
    parts[i] = b.reshape(std::string("joined_") + "qkv" [i], parts[i], { 0, 0, all });
  // exp(0) in the shape of the batch, one for each head.
  const ValueId some = split_last(b, "steps_split", parts[1], {heads, all - heads})[0];
  const ValueId steps = b.apply("steps", "exp", {scaled_by(b, "steps.zero", some, 0)});
  std::vector<float> decays;
  for (const double slope : spec.slopes) decays.push_back(float(-slope));
  const ValueId rates = b.constant("slope_rate", float_tensor({heads, 1}, std::move(decays)));
  const ValueId no_skip = b.constant("no_skip", float_tensor({heads}, std::vector<float>(size_t(heads))));
  ValueId y =
      b.apply("scan", "selective_scan", {parts[2], steps, rates, parts[1], parts[0], no_skip}, {{"groups", heads}});
  y = norm(b, "norm", y, spec.norm);
  const ValueId gate = b.apply("gate", "sigmoid", {b.linear("output_gate", x, all, false)});
  return b.linear("out_proj", b.apply("gated", "mul", {y, gate}), width, false);
}

}  // namespace plimsoll
