#include <fmt/format.h>

#include "model/hf/blocks.h"

namespace plimsoll {
namespace {

std::string activation_op(const std::string& name) {
  return name == "relu2"                                     ? "squared_relu"
         : name == "gelu_pytorch_tanh" || name == "gelu_new" ? "tanh_gelu"
         : name == "swish"                                   ? "silu"
                                                             : name;
}

Attributes routing_attributes(const MoeSpec& spec) {
  Attributes attributes{{"top_k", spec.top_k}, {"scores", spec.chosen_only ? "chosen" : spec.scores}};
  if (spec.normalise) attributes.set("normalise", int64_t{1});
  if (spec.scale != 1) attributes.set("scale", spec.scale);
  if (spec.groups > 1) {
    attributes.set("groups", spec.groups);
    attributes.set("chosen_groups", spec.chosen_groups);
  }
  return attributes;
}

Attributes expert_attributes(const MoeSpec& spec) {
  Attributes attributes{{"gated", int64_t{spec.gated}}, {"activation", activation_op(spec.activation)}};
  if (spec.limit > 0) {
    attributes.set("limit", spec.limit);
    attributes.set("alpha", spec.alpha);
  }
  return attributes;
}

ValueId shared_expert(Builder& b, const MoeSpec& spec, ValueId x) {
  const auto scope = b.enter(spec.shared_name);
  return feed_forward_block(
      b, {.width = spec.shared_width, .gated = spec.gated, .bias = spec.shared_bias, .activation = spec.activation}, x);
}

}  // namespace

ValueId moe_block(Builder& b, const MoeSpec& spec, ValueId x) {
  if (b.failed()) return x;
  const int64_t width = b.shape(x)[b.shape(x).rank() - 1];
  const ValueId scores = b.linear(spec.router, x, spec.experts, spec.router_bias);
  std::vector<ValueId> routed{scores};
  if (spec.correction_is_parameter) routed.push_back(b.parameter(spec.correction_name, {spec.experts}));
  else if (spec.correction) routed.push_back(b.buffer(spec.correction_name, {spec.experts}));
  const auto route = b.apply_many("route", "route_top_k", std::move(routed), routing_attributes(spec), 2);
  const int64_t inside = spec.latent > 0 ? spec.latent : width;
  const ValueId seen = spec.latent > 0 ? b.linear("fc1_latent_proj", x, inside, spec.shared_bias) : x;
  const int64_t hidden = spec.gated ? 2 * spec.width : spec.width;
  std::vector<ValueId> inputs{
      seen, route[0], route[1],
      b.parameter(spec.experts_name + (spec.gated ? ".gate_up_proj" : ".up_proj"), {spec.experts, inside, hidden}),
      b.parameter(spec.experts_name + ".down_proj", {spec.experts, spec.width, inside})};
  if (spec.expert_bias) {
    inputs.push_back(b.parameter(spec.experts_name + ".gate_up_proj_bias", {spec.experts, hidden}));
    inputs.push_back(b.parameter(spec.experts_name + ".down_proj_bias", {spec.experts, inside}));
  }
  ValueId y = b.apply(spec.experts_name, "experts", std::move(inputs), expert_attributes(spec));
  if (spec.latent > 0) y = b.linear("fc2_latent_proj", y, width, spec.shared_bias);
  if (spec.shared_width == 0) return y;
  ValueId shared = shared_expert(b, spec, x);
  if (spec.shared_gate)
    shared = b.apply("shared_gated", "mul",
                     {shared, b.apply("shared_gate", "sigmoid", {b.linear("shared_expert_gate", x, 1, false)})});
  return b.add("add_shared", y, shared);
}

}  // namespace plimsoll
