#include "model/onnx/opset.h"

#include <fmt/format.h>

#include "base/text.h"

namespace plimsoll {
namespace {

bool has_attribute(const onnx::NodeProto& node, std::string_view name) {
  for (const auto& attribute : node.attribute())
    if (attribute.name() == name) return true;
  return false;
}

void add_integer(onnx::NodeProto& node, const char* name, int64_t value) {
  if (has_attribute(node, name)) return;
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::INT);
  attribute->set_i(value);
}

void add_text(onnx::NodeProto& node, const char* name, const char* value) {
  if (has_attribute(node, name)) return;
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::STRING);
  attribute->set_s(value);
}

void adapt(onnx::NodeProto& node, int64_t version) {
  const std::string& op = node.op_type();
  if (version < kOldestOpset && has_attribute(node, "broadcast")) {
    node.set_op_type(op + "-6");  // broadcast along an axis of its choice; nothing of ours does
  } else if ((op == "Softmax" || op == "LogSoftmax" || op == "Hardmax") && version < 13) {
    add_integer(node, "axis", 1);  // and everything from that axis on counts as one
    add_integer(node, "flatten", 1);
  } else if (op == "Resize" && version < 11 && node.input_size() == 2) {
    const std::string scales = node.input(1);  // opset 11 put the region of interest before it
    node.set_input(1, "");
    node.add_input(scales);
    add_text(node, "coordinate_transformation_mode", "asymmetric");
    add_text(node, "nearest_mode", "floor");
  } else if (op == "RoiAlign" && version < 16) {
    add_text(node, "coordinate_transformation_mode", "output_half_pixel");  // opset 16 chose the other default
  } else if (op == "Scan" && version < 9) {
    node.set_op_type("Scan-8");  // had a batch axis and its lengths; nothing of ours reads it
  }
}

}  // namespace

std::string qualified_name(std::string_view domain, std::string_view op_type) {
  domain = plain_domain(domain);
  return domain.empty() ? std::string(op_type) : fmt::format("{}:{}", domain, op_type);
}

Result<Opsets> read_opsets(const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>& imports) {
  Opsets opsets;
  for (const auto& import : imports) {
    const std::string domain(plain_domain(import.domain()));
    if (import.version() < 1)
      return user_error(fmt::format("opset_import of domain {} has the version {}, expected at least 1",
                                    in_quotes(domain), import.version()));
    const auto [entry, is_new] = opsets.emplace(domain, import.version());
    if (!is_new && entry->second != import.version())
      return user_error(fmt::format("opset_import has the versions {} and {} of domain {}", entry->second,
                                    import.version(), in_quotes(domain)));
  }
  return opsets;
}

Result<Opsets> model_opsets(const onnx::ModelProto& model, std::vector<std::string>& notes) {
  if (model.opset_import_size() == 0)
    return user_error("has no opset_import, so its operations' versions are not known", "the file may be cut short");
  PLIM_ASSIGN(Opsets opsets, read_opsets(model.opset_import()));
  const auto own = opsets.find("");
  if (own != opsets.end() && own->second < kOldestOpset)
    notes.push_back(fmt::format("opset {} is older than {}, the oldest that is known; operations are read as in {}",
                                own->second, kOldestOpset, kOldestOpset));
  if (own != opsets.end() && own->second > kNewestOpset)
    notes.push_back(fmt::format("opset {} is newer than {}, the newest that is known; operations are read as in {}",
                                own->second, kNewestOpset, kNewestOpset));
  if (model.ir_version() > kNewestIr)
    notes.push_back(
        fmt::format("IR version {} is newer than {}, the newest that is known", model.ir_version(), kNewestIr));
  return opsets;
}

void adapt_to_opset(google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes, const Opsets& opsets) {
  const auto own = opsets.find("");
  const int64_t version = own == opsets.end() ? kNewestOpset : own->second;
  for (auto& node : nodes) {
    if (plain_domain(node.domain()).empty()) adapt(node, version);
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) adapt_to_opset(*attribute.mutable_g()->mutable_node(), opsets);
      for (auto& graph : *attribute.mutable_graphs()) adapt_to_opset(*graph.mutable_node(), opsets);
    }
  }
}

}  // namespace plimsoll
