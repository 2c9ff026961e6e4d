#include "model/onnx/roles.h"

#include <algorithm>

#include "model/onnx/stored_tables.h"

namespace plimsoll {
namespace {

UsedAs use_of(char role) {
  switch (role) {
    case 'w': return kUsedAsWeight;
    case 'b': return kUsedAsBuffer;
    case 'c': return kUsedAsSetting;
    default: return kUsedAsData;
  }
}

bool has_name(const Op& op, std::string_view onnx_name) {
  return std::find(op.onnx.begin(), op.onnx.end(), onnx_name) != op.onnx.end();
}

// Operations that exporters leave between a stored tensor and the operation that it is for.
bool looks_through(const Op& op) {
  constexpr std::string_view kNames[] = {"Transpose",        "Reshape", "Cast",     "Squeeze",
                                         "Unsqueeze",        "Flatten", "Identity", "QuantizeLinear",
                                         "DequantizeLinear", "Expand",  "Slice"};
  return std::any_of(std::begin(kNames), std::end(kNames), [&](auto name) { return has_name(op, name); });
}

// Quantised weights are integers that a DequantizeLinear turns into numbers to compute with.
bool is_quantised_weight(const Graph& graph, const Node& node, UsedAs uses) {
  const Value& value = graph.value(node.inputs[0]);
  return has_name(*node.op, "DequantizeLinear") && (uses & (kUsedAsData | kUsedAsWeight)) != 0 && value.shape &&
         !value.shape->empty();
}

// Which values are made of integers: positions, sizes, indices, also where they have become floating by then.
std::vector<bool> made_of_integers(const Graph& graph) {
  std::vector<bool> integral(graph.values.size());
  for (size_t i = 0; i < integral.size(); ++i) {
    const Value& value = graph.values[i];
    integral[i] = value.role != Role::activation && !is_floating(value.dtype) && value.dtype != DType::string;
  }
  for (const auto& node : graph.nodes) {
    bool any = false, all = node.op && node.op->control == Control::none;
    for (const ValueId id : node.inputs) {
      if (!id.present()) continue;
      const Value& value = graph.value(id);
      const bool literal = value.role != Role::activation && value.shape && value.shape->empty();
      any = any || integral[size_t(id.index)];
      all = all && (integral[size_t(id.index)] || literal);
    }
    for (const ValueId id : node.outputs)
      if (id.present()) integral[size_t(id.index)] = any && all;
  }
  return integral;
}

// A table of frequencies is multiplied by positions, a weight by what the network has computed.
bool multiplies_positions(const Graph& graph, const Node& node, size_t input, const std::vector<bool>& integral) {
  if ((node.op_name != "mul" && node.op_name != "matmul") || node.inputs.size() != 2) return false;
  const ValueId other = node.inputs[1 - input];
  return other.present() && graph.value(other).role == Role::activation && integral[size_t(other.index)];
}

// Numbers that an exporter made up and puts into a tensor of numbers of its own: regions of a mask.
bool is_put_in_place(const Graph& graph, const Node& node, size_t input) {
  return node.op_name == "scatter_nd" && input == 2 && is_made_up_name(graph.value(node.inputs[input]).name);
}

// Angles are made of positions.
bool is_of_angles(const Node& node) { return node.op_name == "sin" || node.op_name == "cos"; }

// A Gather picks embeddings from a table of weights, or numbers from a list of integers.
bool is_plain_table(const Graph& graph, const Node& node) {
  return has_name(*node.op, "Gather") && graph.value(node.inputs[0]).dtype == DType::i32;
}

}  // namespace

std::vector<UsedAs> find_uses(const Graph& graph, const CaptureUses& captures) {
  std::vector<UsedAs> uses(graph.values.size(), kNotUsed);
  const std::vector<bool> integral = made_of_integers(graph);
  for (const ValueId id : graph.outputs)
    if (id.present()) uses[size_t(id.index)] |= kUsedAsData;
  for (size_t n = graph.nodes.size(); n-- > 0;) {
    const Node& node = graph.nodes[n];
    const auto captured = captures.find(n);
    const size_t own = node.inputs.size() - (captured == captures.end() ? 0 : captured->second.size());
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (!node.inputs[i].present()) continue;
      UsedAs use = i >= own ? captured->second[i - own] : use_of(node.op ? node.op->role(i) : 'x');
      if (i == 0 && node.op && is_plain_table(graph, node)) use = kUsedAsData;
      if (i < own && node.op && (is_put_in_place(graph, node, i) || is_of_angles(node))) use = kUsedAsSetting;
      if (i < own && node.op && i < 2 && multiplies_positions(graph, node, i, integral)) use = kUsedAsSetting;
      if (i == 0 && node.op && looks_through(*node.op) && !node.outputs.empty() && node.outputs[0].present()) {
        const UsedAs beyond = uses[size_t(node.outputs[0].index)];
        if (beyond != kNotUsed) use = beyond;
        if (is_quantised_weight(graph, node, beyond)) use |= kUsedAsWeight;
      }
      uses[size_t(node.inputs[i].index)] |= use;
    }
  }
  return uses;
}

Role role_of(const StoredKind& stored, UsedAs uses) {
  const bool index = stored.type.dtype == DType::i64 || stored.type.dtype == DType::boolean;  // never a weight
  if ((uses & kUsedAsWeight) && !index) return Role::parameter;
  const bool literal = stored.constant_node || stored.type.shape.rank() == 0 || !is_floating(stored.type.dtype);
  if (literal) return Role::constant;
  if (uses & kUsedAsData) return Role::parameter;
  return uses & kUsedAsBuffer ? Role::buffer : Role::constant;
}

}  // namespace plimsoll
