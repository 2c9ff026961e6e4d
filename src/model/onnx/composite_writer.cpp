#include "model/onnx/composite_writer.h"

#include <fmt/format.h>

namespace plimsoll {

CompositeWriter::CompositeWriter(const onnx::NodeProto& node, NodeProtos& out) : node_(node), out_(out) {
  for (const auto& output : node.output())
    if (prefix_.empty()) prefix_ = output;
}

int64_t CompositeWriter::integer(std::string_view attribute, int64_t otherwise) const {
  for (const auto& one : node_.attribute())
    if (one.name() == attribute) return one.i();
  return otherwise;
}

float CompositeWriter::number(std::string_view attribute, float otherwise) const {
  for (const auto& one : node_.attribute())
    if (one.name() == attribute) return one.f();
  return otherwise;
}

std::vector<std::string> CompositeWriter::add_many(const std::string& op, std::vector<std::string> inputs, int outputs,
                                                   std::vector<NodeAttribute> attributes) {
  auto& added = *out_.Add();
  const size_t colon = op.find(':');
  added.set_op_type(colon == std::string::npos ? op : op.substr(colon + 1));
  if (colon != std::string::npos) added.set_domain(op.substr(0, colon));
  if (!node_.name().empty()) added.set_name(fmt::format("{}/{}", node_.name(), added.op_type()));
  for (auto& input : inputs) added.add_input(std::move(input));
  std::vector<std::string> names;
  for (int i = 0; i < outputs; ++i) {
    names.push_back(fmt::format("{}::{}", prefix_, written_++));
    added.add_output(names.back());
  }
  for (auto& [name, numbers, list] : attributes) {
    auto& attribute = *added.add_attribute();
    attribute.set_name(name);
    attribute.set_type(list ? onnx::AttributeProto::INTS : onnx::AttributeProto::INT);
    if (!list) attribute.set_i(numbers.at(0));
    for (const int64_t number : numbers)
      if (list) attribute.add_ints(number);
  }
  return names;
}

std::string CompositeWriter::add(const std::string& op, std::vector<std::string> inputs,
                                 std::vector<NodeAttribute> attributes) {
  return add_many(op, std::move(inputs), 1, std::move(attributes))[0];
}

void CompositeWriter::set_number(const std::string& attribute, float number) {
  auto& added = *last().add_attribute();
  added.set_name(attribute);
  added.set_type(onnx::AttributeProto::FLOAT);
  added.set_f(number);
}

std::string CompositeWriter::integers(const std::vector<int64_t>& numbers) {
  return add("Constant", {}, {{"value_ints", numbers, true}});
}

std::string CompositeWriter::constant(float number) {
  std::string name = add("Constant", {});
  set_number("value_float", number);
  return name;
}

void CompositeWriter::finish(int i, const std::string& value) {
  if (!has_output(i)) return;
  auto& identity = *out_.Add();
  identity.set_op_type("Identity");
  if (!node_.name().empty()) identity.set_name(node_.name());
  identity.add_input(value);
  identity.add_output(node_.output(i));
}

}  // namespace plimsoll
