#include "model/onnx/read_attributes.h"

#include <fmt/format.h>

#include "base/text.h"

namespace plimsoll {
namespace {

using onnx::AttributeProto;

constexpr int kMostAttributes = 1000;  // of one node; looked up one by one

Result<std::optional<Attribute>> tensor_attribute(const AttributeProto& attribute, TensorFiles& files) {
  PLIM_ASSIGN(const TensorType type, check_tensor(attribute.t(), files));
  PLIM_ASSIGN(TensorPtr contents, contents_of(attribute.t(), type, files));
  if (!contents) return std::optional<Attribute>();
  return std::optional<Attribute>(std::move(contents));
}

// nullopt: a kind of attribute that no operation of ours reads.
Result<std::optional<Attribute>> read_attribute(const AttributeProto& attribute, TensorFiles& files) {
  switch (type_of(attribute)) {
    case AttributeProto::INT: return std::optional<Attribute>(int64_t(attribute.i()));
    case AttributeProto::FLOAT: return std::optional<Attribute>(double(attribute.f()));
    case AttributeProto::STRING: return std::optional<Attribute>(attribute.s());
    case AttributeProto::INTS:
      return std::optional<Attribute>(std::vector<int64_t>(attribute.ints().begin(), attribute.ints().end()));
    case AttributeProto::FLOATS:
      return std::optional<Attribute>(std::vector<double>(attribute.floats().begin(), attribute.floats().end()));
    case AttributeProto::STRINGS:
      return std::optional<Attribute>(std::vector<std::string>(attribute.strings().begin(), attribute.strings().end()));
    case AttributeProto::TENSOR: return tensor_attribute(attribute, files);
    case AttributeProto::TENSORS:
      for (const auto& tensor : attribute.tensors()) PLIM_TRY(check_tensor(tensor, files));
      return std::optional<Attribute>();
    case AttributeProto::SPARSE_TENSOR: PLIM_TRY(check_sparse(attribute.sparse_tensor(), files)); break;
    case AttributeProto::SPARSE_TENSORS:
      for (const auto& sparse : attribute.sparse_tensors()) PLIM_TRY(check_sparse(sparse, files));
      break;
    default: break;
  }
  return std::optional<Attribute>();
}

}  // namespace

AttributeProto::AttributeType type_of(const AttributeProto& attribute) {
  if (attribute.type() != AttributeProto::UNDEFINED) return attribute.type();
  if (attribute.has_f()) return AttributeProto::FLOAT;
  if (attribute.has_i()) return AttributeProto::INT;
  if (attribute.has_s()) return AttributeProto::STRING;
  if (attribute.has_t()) return AttributeProto::TENSOR;
  if (attribute.has_g()) return AttributeProto::GRAPH;
  if (attribute.has_sparse_tensor()) return AttributeProto::SPARSE_TENSOR;
  if (attribute.floats_size() > 0) return AttributeProto::FLOATS;
  if (attribute.ints_size() > 0) return AttributeProto::INTS;
  if (attribute.strings_size() > 0) return AttributeProto::STRINGS;
  return AttributeProto::UNDEFINED;
}

Result<Attributes> read_attributes(const onnx::NodeProto& node, TensorFiles& files) {
  if (node.attribute_size() > kMostAttributes)
    return user_error(fmt::format("has {} attributes, expected at most {}", node.attribute_size(), kMostAttributes));
  Attributes attributes;
  for (const auto& attribute : node.attribute()) {
    const auto name = in_quotes(attribute.name());
    if (attributes.has(attribute.name())) return user_error(fmt::format("has the attribute {} twice", name));
    if (!attribute.ref_attr_name().empty())
      return user_error(fmt::format("attribute {} refers to an attribute of a function, but this is not in one", name));
    auto read = read_attribute(attribute, files);
    if (!read.ok()) return std::move(read).error().in("attribute " + name);
    if (*read) attributes.set(attribute.name(), std::move(**read));
  }
  return attributes;
}

std::vector<const onnx::GraphProto*> subgraphs_of(const onnx::NodeProto& node) {
  std::vector<const onnx::GraphProto*> graphs;
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) graphs.push_back(&attribute.g());
    for (const auto& graph : attribute.graphs()) graphs.push_back(&graph);
  }
  return graphs;
}

}  // namespace plimsoll
