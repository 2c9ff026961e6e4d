#include "model/onnx/composites.h"

#include <fmt/format.h>

#include "base/field_mark.h"
#include "base/text.h"
#include "model/onnx/opset.h"

namespace plimsoll {
namespace {

bool is_floating_type(int data_type) {
  return data_type == onnx::TensorProto::FLOAT || data_type == onnx::TensorProto::FLOAT16 ||
         data_type == onnx::TensorProto::BFLOAT16 || data_type == onnx::TensorProto::DOUBLE;
}

// input + skip (+ bias), root mean square norm.
bool write_skip_simplified_norm(CompositeWriter& writer, const StatedTypes&) {
  std::string sum = writer.add("Add", {writer.input(0), writer.input(1)});
  if (writer.has_input(3)) sum = writer.add("Add", {sum, writer.input(3)});
  const std::string y = writer.add("SimplifiedLayerNormalization", {sum, writer.input(2)});
  writer.set_number("epsilon", writer.number("epsilon", 1e-5F));
  writer.finish(0, y);
  writer.finish(3, sum);
  return !writer.has_output(1) && !writer.has_output(2);
}

// Words, positions and segments looked up and added, then a layer norm.
bool write_embed_layer_norm(CompositeWriter& writer, const StatedTypes&) {
  for (const int i : {2, 3, 5, 6})
    if (!writer.has_input(i)) return false;
  if (writer.has_output(1)) return false;  // an index of the mask
  std::string sum = writer.add("Gather", {writer.input(2), writer.input(0)});
  std::string positions;
  if (writer.has_input(8)) {
    positions = writer.add("Gather", {writer.input(3), writer.input(8)});
  } else {
    const std::string length = writer.add("Shape", {writer.input(0)}, {{"start", {1}}, {"end", {2}}});
    positions = writer.add("Slice", {writer.input(3), writer.integers({0}), length, writer.integers({0})});
  }
  sum = writer.add("Add", {sum, positions});
  if (writer.has_input(1) && writer.has_input(4))
    sum = writer.add("Add", {sum, writer.add("Gather", {writer.input(4), writer.input(1)})});
  const std::string y = writer.add("LayerNormalization", {sum, writer.input(5), writer.input(6)});
  writer.set_number("epsilon", writer.number("epsilon", 1e-12F));
  writer.finish(0, y);
  writer.finish(2, sum);
  return true;
}

bool write_bias_softmax(CompositeWriter& writer, const StatedTypes&) {
  const std::string sum = writer.add("Add", {writer.input(0), writer.input(1)});
  writer.finish(0, writer.add("Softmax", {sum}, {{"axis", {writer.integer("axis", -1)}}}));
  return true;
}

bool write_bias_add(CompositeWriter& writer, const StatedTypes&) {
  const std::string sum = writer.add("Add", {writer.input(0), writer.input(1)});
  writer.finish(0, writer.add("Add", {sum, writer.input(2)}));
  return true;
}

bool write_gemm_fast_gelu(CompositeWriter& writer, const StatedTypes&) {
  const std::string product = writer.add("MatMul", {writer.input(0), writer.input(1)});
  std::vector<std::string> inputs{product};
  if (writer.has_input(2)) inputs.push_back(writer.input(2));
  writer.finish(0, writer.add("com.microsoft:FastGelu", inputs));
  return true;
}

// (x + bias) cut in two along the last axis: the first half times the gelu of the second.
bool write_bias_split_gelu(CompositeWriter& writer, const StatedTypes&) {
  const std::string sum = writer.add("Add", {writer.input(0), writer.input(1)});
  const auto halves = writer.add_many("Split", {sum}, 2, {{"axis", {-1}}, {"num_outputs", {2}}});
  writer.finish(0, writer.add("Mul", {halves[0], writer.add("Gelu", {halves[1]})}));
  return true;
}

// Channels last around a convolution that reads them first.
bool write_nhwc_conv(CompositeWriter& writer, const StatedTypes&) {
  if (writer.has_input(3)) return false;
  const std::string x = writer.add("Transpose", {writer.input(0)}, {{"perm", {0, 3, 1, 2}, true}});
  std::vector<std::string> inputs{x, writer.input(1)};
  if (writer.has_input(2)) inputs.push_back(writer.input(2));
  const std::string y = writer.add("com.microsoft:FusedConv", inputs);
  for (const auto& attribute : writer.node().attribute()) *writer.last().add_attribute() = attribute;
  writer.finish(0, writer.add("Transpose", {y}, {{"perm", {0, 2, 3, 1}, true}}));
  return true;
}

// Integers times integers, then scales and a bias in floating point.
std::string dequantised_product(CompositeWriter& writer, const std::vector<std::string>& integers, const std::string& a,
                                const std::string& b, const std::string& bias) {
  std::string y = writer.add("MatMulInteger", integers);
  y = writer.add("Cast", {y}, {{"to", {onnx::TensorProto::FLOAT}}});
  y = writer.add("Mul", {y, writer.add("Mul", {a, b})});
  return bias.empty() ? y : writer.add("Add", {y, bias});
}

bool write_matmul_integer_to_float(CompositeWriter& writer, const StatedTypes&) {
  writer.finish(0, dequantised_product(writer, {writer.input(0), writer.input(1), writer.input(4), writer.input(5)},
                                       writer.input(2), writer.input(3), writer.input(6)));
  return true;
}

bool write_dynamic_quantize_matmul(CompositeWriter& writer, const StatedTypes&) {
  const auto a = writer.add_many("DynamicQuantizeLinear", {writer.input(0)}, 3);
  writer.finish(0, dequantised_product(writer, {a[0], writer.input(1), a[2], writer.input(3)}, a[1], writer.input(2),
                                       writer.input(4)));
  return true;
}

struct Composite {
  std::string_view name;
  int required_inputs;  // that come first
  CompositeRule write;
};

constexpr Composite kComposites[] = {
    {"Attention", 3, write_attention},
    {"com.microsoft:BiasAdd", 3, write_bias_add},
    {"com.microsoft:BiasSoftmax", 2, write_bias_softmax},
    {"com.microsoft:BiasSplitGelu", 2, write_bias_split_gelu},
    {"com.microsoft:DynamicQuantizeMatMul", 3, write_dynamic_quantize_matmul},
    {"com.microsoft:EmbedLayerNormalization", 1, write_embed_layer_norm},
    {"com.microsoft:GemmFastGelu", 2, write_gemm_fast_gelu},
    {"com.microsoft:GroupQueryAttention", 1, write_group_query_attention},
    {"com.microsoft:MatMulIntegerToFloat", 4, write_matmul_integer_to_float},
    {"com.microsoft:MultiHeadAttention", 1, write_multi_head_attention},
    {"com.microsoft:NhwcConv", 2, write_nhwc_conv},
    {"com.microsoft:RotaryEmbedding", 4, write_rotary_embedding},
    {"com.microsoft:SkipSimplifiedLayerNormalization", 3, write_skip_simplified_norm},
};

const Composite* find_composite(const onnx::NodeProto& node) {
  const std::string name = qualified_name(node.domain(), node.op_type());
  for (const auto& composite : kComposites)
    if (composite.name == name) return &composite;
  return nullptr;
}

bool has_required(const Composite& composite, const onnx::NodeProto& node) {
  if (node.output_size() == 0 || node.output(0).empty()) return false;
  int present = 0;
  while (present < node.input_size() && !node.input(present).empty()) ++present;
  return present >= composite.required_inputs;
}

class Expansion {
 public:
  explicit Expansion(const ImportLimits& limits) : limits_(limits) {}

  Status run(onnx::GraphProto& graph) {
    if (!has_composites(graph)) return {};
    const StatedTypes types(graph);
    NodeProtos old;
    old.Swap(graph.mutable_node());
    for (auto& node : old) {
      for (auto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g()) PLIM_TRY(run(*attribute.mutable_g()));
        for (auto& inner : *attribute.mutable_graphs()) PLIM_TRY(run(inner));
      }
      PLIM_TRY(emit(std::move(node), *graph.mutable_node(), types));
    }
    return {};
  }

 private:
  static bool has_composites(const onnx::GraphProto& graph) {
    for (const auto& node : graph.node()) {
      if (find_composite(node)) return true;
      for (const auto& attribute : node.attribute())
        if (attribute.has_g() || attribute.graphs_size() > 0) return true;
    }
    return false;
  }

  Status emit(onnx::NodeProto&& node, NodeProtos& out, const StatedTypes& types) {
    const int before = out.size();
    const Composite* composite = find_composite(node);
    CompositeWriter writer(node, out);
    if (!composite || !has_required(*composite, node) || !composite->write(writer, types)) {
      while (out.size() > before) out.RemoveLast();
      *out.Add() = std::move(node);
    }
    nodes_ += out.size() - before;
    if (nodes_ > limits_.nodes)
      return user_error(fmt::format("has more than {} nodes once its attentions and other composite operations are "
                                    "written out, which is the limit",
                                    with_commas(limits_.nodes)),
                        "raise it with " + named("max_nodes"));
    return {};
  }

  const ImportLimits& limits_;
  int64_t nodes_ = 0;
};

}  // namespace

StatedTypes::StatedTypes(const onnx::GraphProto& graph) {
  for (const auto* list : {&graph.input(), &graph.output(), &graph.value_info()})
    for (const auto& value : *list) {
      const auto& tensor = value.type().tensor_type();
      known_.emplace(value.name(), Stated{tensor.elem_type(), tensor.has_shape() ? &tensor.shape() : nullptr});
    }
  std::unordered_map<int, int64_t> counts;
  for (const auto& tensor : graph.initializer()) {
    known_.insert_or_assign(tensor.name(), Stated{tensor.data_type(), nullptr, &tensor});
    if (is_floating_type(tensor.data_type()) && ++counts[tensor.data_type()] > counts[usual_type_])
      usual_type_ = tensor.data_type();
  }
}

std::optional<int> StatedTypes::rank(std::string_view value) const {
  const auto found = known_.find(value);
  if (found == known_.end()) return std::nullopt;
  if (found->second.tensor) return found->second.tensor->dims_size();
  return found->second.shape ? std::optional(found->second.shape->dim_size()) : std::nullopt;
}

std::optional<int64_t> StatedTypes::size(std::string_view value, int axis) const {
  const auto known = rank(value);
  if (!known) return std::nullopt;
  if (axis < 0) axis += *known;
  if (axis < 0 || axis >= *known) return std::nullopt;
  const Stated& stated = known_.at(value);
  if (stated.tensor) return stated.tensor->dims(axis);
  const auto& dim = stated.shape->dim(axis);
  return dim.has_dim_value() ? std::optional<int64_t>(dim.dim_value()) : std::nullopt;
}

std::optional<int> StatedTypes::data_type(std::string_view value) const {
  const auto found = known_.find(value);
  if (found == known_.end() || found->second.data_type == 0) return std::nullopt;
  return found->second.data_type;
}

Status expand_composites(onnx::GraphProto& graph, const ImportLimits& limits) { return Expansion(limits).run(graph); }

}  // namespace plimsoll
