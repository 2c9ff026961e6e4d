#include "model/hf/blocks.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"

namespace plimsoll {
namespace {

int64_t last_size(Builder& b, ValueId x) { return b.shape(x)[b.shape(x).rank() - 1]; }

struct ActivationName {
  std::string_view name, op;
  bool in_pieces = false;  // transformers computes it from several operations, each of which keeps its own
};
constexpr std::array kActivations = {ActivationName{"silu", "silu"},
                                     ActivationName{"swish", "silu"},
                                     ActivationName{"gelu", "gelu"},
                                     ActivationName{"gelu_python", "gelu"},
                                     ActivationName{"gelu_new", "tanh_gelu", true},
                                     ActivationName{"gelu_fast", "tanh_gelu", true},
                                     ActivationName{"gelu_pytorch_tanh", "tanh_gelu"},
                                     ActivationName{"quick_gelu", "quick_gelu"},
                                     ActivationName{"relu", "relu"},
                                     ActivationName{"relu2", "squared_relu"},
                                     ActivationName{"tanh", "tanh"},
                                     ActivationName{"sigmoid", "sigmoid"},
                                     ActivationName{"mish", "mish"}};

const ActivationName* find_activation(std::string_view name) {
  for (const auto& known : kActivations)
    if (known.name == name) return &known;
  return nullptr;
}

}  // namespace

ValueId norm(Builder& b, const std::string& name, ValueId x, const NormSpec& spec) {
  if (spec.kind == NormKind::none || b.failed()) return x;
  if (spec.kind == NormKind::layer) return b.layer_norm(name, x, spec.epsilon);
  const Shape width{last_size(b, x)};
  const auto ones = [&] {
    return b.constant(name + ".weight", float_tensor(width, std::vector<float>(size_t(width[0]), 1)));
  };
  if (spec.kind == NormKind::layer_without_bias || spec.kind == NormKind::without_parameters) {
    const ValueId scale = spec.kind == NormKind::layer_without_bias ? b.parameter(name + ".weight", width) : ones();
    Attributes attributes{{"axis", int64_t{-1}}, {"epsilon", spec.epsilon}};
    if (spec.written_as == "cohere") attributes.set("written_as", spec.written_as);
    return b.apply(name, "layer_norm", {x, scale}, std::move(attributes));
  }
  const bool learned = spec.kind == NormKind::rms;
  return b.apply(name, "rms_norm", {x, learned ? b.parameter(name + ".weight", width) : ones()},
                 {{"axis", int64_t{-1}}, {"epsilon", spec.epsilon}, {"written_as", spec.written_as}});
}

std::string read_activation(const Config& config, std::string_view keys, const std::string& fallback) {
  const std::string name = config.text(keys, fallback);
  if (!find_activation(name))
    config.fail(fmt::format("the activation {} is not known", in_quotes(name)), "silu, gelu, gelu_new, relu …");
  return name;
}

ValueId activate(Builder& b, const std::string& name, ValueId x, const std::string& activation) {
  const ActivationName* known = find_activation(activation);
  if (!known) {
    b.fail(user_error(fmt::format("the activation {} is not known", in_quotes(activation))));
    return x;
  }
  if (known->op == "squared_relu") {
    x = b.relu(name, x);
    return b.apply(name + ".square", "mul", {x, x});
  }
  Attributes attributes;
  if (known->op == "tanh_gelu") attributes.set("approximate", std::string("tanh"));
  if (known->in_pieces) attributes.set("written_as", std::string("pieces"));
  return b.apply(name, known->op == "tanh_gelu" ? "gelu" : known->op, {x}, std::move(attributes));
}

ValueId scaled_by(Builder& b, const std::string& name, ValueId x, double factor) {
  if (factor == 1 || b.failed()) return x;
  return b.apply(name, "mul", {x, b.constant(name + ".factor", float_tensor({}, {float(factor)}))});
}

std::vector<ValueId> split_last(Builder& b, const std::string& name, ValueId x, const Sizes& sizes) {
  if (b.failed()) return std::vector<ValueId>(sizes.size(), x);
  return b.apply_many(name, "split", {x, b.constant(name + ".sizes", integer_tensor(sizes))}, {{"axis", int64_t{-1}}},
                      sizes.size());
}

ValueId turn(Builder& b, const std::string& name, ValueId x, int64_t heads, const RopeSpec& rope) {
  Attributes attributes{{"num_heads", heads}, {"frequencies", rope.frequencies}, {"rotary_embedding_dim", rope.turned}};
  if (rope.scale != 1) attributes.set("scale", rope.scale);
  if (rope.interleaved) attributes.set("interleaved", int64_t{1});
  return b.apply(name, "rope", {x}, std::move(attributes));
}

ValueId feed_forward_block(Builder& b, const FeedForwardSpec& spec, ValueId x) {
  const int64_t width = last_size(b, x);
  ValueId y;
  if (!spec.gated) {
    y = activate(b, "act_fn", b.linear(spec.up, x, spec.width, spec.bias), spec.activation);
  } else {
    ValueId gate, up;
    if (spec.packed.empty()) {
      gate = b.linear(spec.gate, x, spec.width, spec.bias);
      up = b.linear(spec.up, x, spec.width, spec.bias);
    } else {
      const auto both = split_last(b, spec.packed + ".split", b.linear(spec.packed, x, 2 * spec.width, spec.bias),
                                   {spec.width, spec.width});
      gate = both[0];
      up = both[1];
    }
    gate = scaled_by(b, "gate_scale", gate, spec.gate_scale);
    y = b.apply("gate_times_up", "mul", {activate(b, "act_fn", gate, spec.activation), up});
  }
  y = b.linear(spec.down, y, width, spec.down_bias.value_or(spec.bias));
  return scaled_by(b, "down_scale", y, spec.down_scale);
}

}  // namespace plimsoll
