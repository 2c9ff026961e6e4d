#include "model/onnx/export_nodes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/onnx/export_attributes.h"

namespace plimsoll {
namespace {

// What was an attribute in early opsets and is an input in 17.
struct Moved {
  std::string_view op, attribute;
  int input;
};
constexpr Moved kMoved[] = {{"Squeeze", "axes", 1},  {"Unsqueeze", "axes", 1}, {"ReduceSum", "axes", 1},
                            {"Split", "split", 1},   {"Pad", "pads", 1},       {"Pad", "value", 2},
                            {"Slice", "starts", 1},  {"Slice", "ends", 2},     {"Slice", "axes", 3},
                            {"Clip", "min", 1},      {"Clip", "max", 2},       {"Dropout", "ratio", 1},
                            {"Reshape", "shape", 1}, {"TopK", "k", 1}};

const Moved* find_moved(std::string_view op, std::string_view attribute) {
  const auto* found = std::find_if(std::begin(kMoved), std::end(kMoved),
                                   [&](const Moved& moved) { return moved.op == op && moved.attribute == attribute; });
  return found == std::end(kMoved) ? nullptr : found;
}

// ONNX has them, but only after opset 17.
bool is_too_new(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "GroupNormalization", "CenterCropPad",    "Col2Im",       "BitwiseAnd", "BitwiseOr",  "BitwiseXor",
      "BitwiseNot",         "RMSNormalization", "Attention",    "Swish",      "Gelu",       "Mish",
      "AffineGrid",         "Upsample",         "ImageDecoder", "DeformConv", "StringSplit"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// Reductions but the sum have their axes as an attribute in opset 17.
bool is_reduction(std::string_view name) { return name.starts_with("Reduce") && name != "ReduceSum"; }

Error declined(const Node& node, const std::string& why) {
  return user_error(fmt::format("{} {}", in_quotes(node.op_name), why)).in("node " + in_quotes(node.name));
}

}  // namespace

NodeWriter::NodeWriter(const Graph& graph, const Program& bound, onnx::GraphProto& proto)
    : graph_(graph), proto_(proto), names_(graph.values.size()) {
  for (const auto& value : bound.values) bound_.emplace(value.name, &value);
  // Stored tensors and inputs keep their names; where layers share one, the later gets a number.
  for (const bool activations : {false, true})
    for (size_t i = 0; i < names_.size(); ++i) {
      if ((graph.values[i].role == Role::activation) != activations) continue;
      names_[i] = graph.values[i].name;
      for (int n = 2; names_[i].empty() || !taken_.insert(names_[i]).second; ++n)
        names_[i] = fmt::format("{}.{}", graph.values[i].name, n);
    }
}

Result<Shape> NodeWriter::shape_of(ValueId id) const {
  const auto found = bound_.find(graph_.value(id).name);
  if (found == bound_.end() || !found->second->type)
    return user_error(fmt::format("the shape of {} is not known", in_quotes(graph_.value(id).name)));
  return found->second->type->shape;
}

TensorPtr NodeWriter::contents_of(const Node& node, size_t i) const {
  return has(node, i) ? graph_.value(node.inputs[i]).data : nullptr;
}

std::string NodeWriter::fresh(const Node& node, const std::string& what) {
  std::string name = fmt::format("{}/{}", output(node), what);
  for (int n = 2; !taken_.insert(name).second; ++n) name = fmt::format("{}/{}.{}", output(node), what, n);
  return name;
}

onnx::NodeProto& NodeWriter::add(const std::string& op, const std::vector<std::string>& inputs,
                                 const std::string& output) {
  auto& node = *proto_.add_node();
  node.set_op_type(op);
  node.set_name(output);
  for (const auto& input : inputs) node.add_input(input);
  node.add_output(output);
  return node;
}

// As a node and not as an initializer: so a reader sees that it is not learned.
void NodeWriter::write_constant(const std::string& name, const Tensor& tensor) {
  auto& attribute = *add("Constant", {}, name).add_attribute();
  attribute.set_name("value");
  attribute.set_type(onnx::AttributeProto::TENSOR);
  fill_tensor(*attribute.mutable_t(), tensor);
}

std::string NodeWriter::number(const Node& node, const std::string& what, double value) {
  const std::string name = fresh(node, what);
  write_constant(name, float_tensor({}, {float(value)}));
  return name;
}

std::string NodeWriter::integers(const Node& node, const std::string& what, const std::vector<int64_t>& values) {
  const std::string name = fresh(node, what);
  write_constant(name, integer_tensor(values));
  return name;
}

Status NodeWriter::write(const Node& node) {
  if (!node.op) return declined(node, "is not an operation that we know");
  if (node.op->control != Control::none) return declined(node, "is control flow, which is not exported");
  const ExportRule rule = export_rule(node);
  auto status = rule ? rule(*this, node) : write_plain(node);
  if (!status.ok() && status.error().where.empty()) return std::move(status).error().in("node " + in_quotes(node.name));
  return status;
}

void NodeWriter::set_input(onnx::NodeProto& node, int index, const std::string& name) {
  while (node.input_size() <= index) node.add_input("");
  node.set_input(index, name);
}

Status NodeWriter::move_settings(const Node& node, onnx::NodeProto& written) {
  for (const auto& [name, value] : node.attributes) {
    const Moved* moved = find_moved(written.op_type(), name);
    if (!moved && is_known_to_onnx(name)) add_attribute(written, name, value);
    if (!moved || has(node, size_t(moved->input))) continue;
    if (const auto* list = std::get_if<std::vector<int64_t>>(&value))
      set_input(written, moved->input, integers(node, name, *list));
    else if (const auto* one = std::get_if<int64_t>(&value))
      set_input(written, moved->input, integers(node, name, {*one}));
    else set_input(written, moved->input, number(node, name, node.attributes.number(name, 0)));
  }
  if (is_reduction(written.op_type()) && has(node, 1)) {
    const TensorPtr axes = contents_of(node, 1);
    if (!axes) return user_error("its axes are computed, expected constants");
    written.mutable_input()->RemoveLast();
    add_attribute(written, "axes", axes->integers());
  }
  if (node.attributes.has("num_outputs") && !has(node, 1)) {  // opset 18's way to split; here the sizes say it
    std::vector<int64_t> sizes;
    for (const ValueId id : node.outputs) {
      PLIM_ASSIGN(const Shape shape, shape_of(id));
      PLIM_ASSIGN(const int axis, normalise_axis(node.attributes.integer("axis", 0), shape.rank()));
      sizes.push_back(shape[axis]);
    }
    set_input(written, 1, integers(node, "split", sizes));
  }
  return {};
}

Status NodeWriter::write_plain(const Node& node, const std::string& first_output) {
  if (node.op->onnx.empty()) return declined(node, "has no counterpart in ONNX");
  const std::string name(node.op->onnx.front());
  if (name.find(':') != std::string::npos || is_too_new(name))
    return declined(node, fmt::format("is {} in ONNX, which opset {} does not have", name, kExportOpset));
  // Built apart and appended last: its settings may become nodes that stand before it.
  onnx::NodeProto written;
  written.set_op_type(name);
  written.set_name(node.name);
  for (size_t i = 0; i < node.inputs.size(); ++i) written.add_input(input(node, i));
  PLIM_TRY(move_settings(node, written));
  for (size_t i = 0; i < node.outputs.size(); ++i)
    written.add_output(!node.outputs[i].present()        ? ""
                       : i == 0 && !first_output.empty() ? first_output
                                                         : name_of(node.outputs[i]));
  *proto_.add_node() = std::move(written);
  return {};
}

}  // namespace plimsoll
