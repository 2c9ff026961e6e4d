#include "model/onnx/graph_builder.h"

#include <fmt/format.h>

#include "base/text.h"
#include "model/onnx/opset.h"
#include "model/onnx/read_attributes.h"
#include "model/onnx/stored_tables.h"
#include "model/onnx/types.h"
#include "model/ops/all_ops.h"

namespace plimsoll {
namespace {

bool is_onnx(const onnx::NodeProto& node, std::string_view op_type) {
  return node.op_type() == op_type && plain_domain(node.domain()).empty();
}

// Whether an operation does arithmetic, which strings have none of. They can be compared, though.
bool computes(const Op& op) { return op.cost && op.name != "equal"; }

}  // namespace

Status GraphBuilder::build() {
  graph_.name = proto_.name();
  PLIM_TRY(read_stored());
  PLIM_TRY(read_inputs());
  read_hints();
  PLIM_TRY(add_nodes());
  PLIM_TRY(read_outputs());
  PLIM_TRY(set_roles());
  count_unused();
  return {};
}

Status GraphBuilder::store(std::string_view name, Stored stored) {
  if (name.empty()) return user_error("an initializer has no name");
  if (!stored_.emplace(name, std::move(stored)).second)
    return user_error(fmt::format("there are two initializers or constants of the name {}", in_quotes(name)));
  return {};
}

Status GraphBuilder::read_stored() {
  for (const auto& tensor : proto_.initializer()) {
    auto type = check_tensor(tensor, files_);
    if (!type.ok()) return std::move(type).error().in("initializer " + in_quotes(tensor.name()));
    PLIM_TRY(store(tensor.name(), {{false, *std::move(type)}, &tensor}));
  }
  for (const auto& sparse : proto_.sparse_initializer()) {
    auto type = check_sparse(sparse, files_);
    if (!type.ok()) return std::move(type).error().in("sparse initializer " + in_quotes(sparse.values().name()));
    PLIM_TRY(store(sparse.values().name(), {{false, *std::move(type)}}));
  }
  for (int i = 0; i < proto_.node_size(); ++i) {
    if (!is_onnx(proto_.node(i), "Constant")) continue;
    auto status = read_constant(proto_.node(i));
    if (!status.ok()) return std::move(status).error().in(node_place(proto_.node(i), i));
  }
  return {};
}

Result<GraphBuilder::Stored> GraphBuilder::constant_of(const onnx::AttributeProto& attribute) {
  const std::string& name = attribute.name();
  Tensor literal;
  if (name == "value") {
    PLIM_ASSIGN(TensorType type, check_tensor(attribute.t(), files_));
    return Stored{{true, std::move(type)}, &attribute.t()};
  }
  if (name == "sparse_value") {
    PLIM_ASSIGN(TensorType type, check_sparse(attribute.sparse_tensor(), files_));
    return Stored{{true, std::move(type)}};
  }
  if (name == "value_int") {
    literal = integer_scalar(attribute.i());
  } else if (name == "value_ints") {
    literal = integer_tensor({attribute.ints().begin(), attribute.ints().end()});
  } else if (name == "value_float") {
    literal = float_tensor({}, {attribute.f()});
  } else if (name == "value_floats") {
    literal = float_tensor(Shape{attribute.floats_size()}, {attribute.floats().begin(), attribute.floats().end()});
  } else if (name == "value_string" || name == "value_strings") {
    const Shape shape = name == "value_string" ? Shape{} : Shape{attribute.strings_size()};
    return Stored{{true, {DType::string, shape}}};
  } else {
    return user_error(fmt::format("has the attribute {}, which holds no constant", in_quotes(name)));
  }
  Stored stored{{true, literal.type}};
  stored.literal = std::make_shared<Tensor>(std::move(literal));
  return stored;
}

Status GraphBuilder::read_constant(const onnx::NodeProto& node) {
  if (node.output_size() != 1 || node.output(0).empty() || node.attribute_size() == 0)
    return user_error(fmt::format("has {} outputs and {} attributes, expected one of each", node.output_size(),
                                  node.attribute_size()));
  PLIM_ASSIGN(Stored stored, constant_of(node.attribute(0)));
  return store(node.output(0), std::move(stored));
}

Status GraphBuilder::read_inputs() {
  for (int i = 0; i < proto_.input_size(); ++i) {
    const auto& input = proto_.input(i);
    if (stored_.contains(input.name())) {
      if (!stored_.at(input.name()).kind.constant_node) continue;  // early files list initializers as inputs too
      return user_error(fmt::format("input {} is produced by a Constant node too", in_quotes(input.name())));
    }
    Value value{input.name(), Role::input, DType::f32, std::nullopt, nullptr};
    if (around_) {  // a subgraph's inputs are typed by what is passed in
      if (auto hint = type_hint(input)) std::tie(value.dtype, value.shape) = std::pair(hint->dtype, hint->shape);
    } else {
      auto type = input_type(input, size_t(i));
      if (!type.ok()) return std::move(type).error().in("input " + in_quotes(input.name()));
      value.dtype = type->dtype;
      value.shape = std::move(type->shape);
    }
    if (input.name().empty()) return user_error(fmt::format("input {} has no name", i));
    const ValueId id = graph_.add(std::move(value));
    if (!values_.emplace(input.name(), id).second)
      return user_error(fmt::format("there are two inputs of the name {}", in_quotes(input.name())));
    graph_.inputs.push_back(id);
  }
  return {};
}

void GraphBuilder::read_hints() {
  for (const auto& info : proto_.value_info()) hints_.emplace(info.name(), &info);
  for (const auto& output : proto_.output()) hints_.emplace(output.name(), &output);
}

Status GraphBuilder::check_names(const Producers& producers) const {
  for (const auto& [name, index] : producers) {
    const auto stored = stored_.find(name);
    const bool is_initializer = stored != stored_.end() && !stored->second.kind.constant_node;
    if (!is_initializer && !values_.contains(name)) continue;
    return user_error(fmt::format("produces {}, which is {} already", in_quotes(name),
                                  is_initializer ? "an initializer" : "an input"))
        .in(node_place(proto_.node(index), index));
  }
  return {};
}

Status GraphBuilder::add_nodes() {
  PLIM_ASSIGN(const Producers producers, find_producers(proto_));
  PLIM_TRY(check_names(producers));
  PLIM_ASSIGN(const std::vector<int> order, sort_nodes(proto_, producers, free_names_));
  graph_.nodes.reserve(order.size());
  for (const int index : order) {
    const auto& node = proto_.node(index);
    if (is_onnx(node, "Constant") || is_stored_identity(node)) continue;
    auto status = add_node(node, index);
    if (status.ok()) continue;
    if (!status.error().where.empty() && status.error().where.starts_with("node ")) return status;  // an inner node
    return std::move(status).error().in(node_place(node, index));
  }
  return {};
}

// Exporters merge stored tensors of equal contents and put an Identity before each use: every
// output of such an Identity is a stored tensor of its own.
bool GraphBuilder::is_stored_identity(const onnx::NodeProto& node) {
  if (!is_onnx(node, "Identity") || node.input_size() != 1 || node.output_size() != 1) return false;
  const auto stored = stored_.find(node.input(0));
  if (stored == stored_.end() || node.output(0).empty()) return false;
  stored->second.copied = true;
  Stored copy = stored->second;
  copy.id = {};
  copy.copied = false;
  return stored_.emplace(node.output(0), std::move(copy)).second;
}

ValueId GraphBuilder::capture(std::string_view name, ValueId outside) {
  const Value& value = around_->graph_.value(outside);
  const ValueId id = graph_.add({std::string(name), Role::input, value.dtype, value.shape, nullptr});
  values_.emplace(name, id);
  captured_.push_back(outside);
  capture_ids_.emplace(outside.index, id);
  return id;
}

// The value of a name as this graph sees it, from outside if need be.
std::optional<ValueId> GraphBuilder::find(std::string_view name) {
  if (const auto known = values_.find(name); known != values_.end()) return known->second;
  if (const auto stored = stored_.find(name); stored != stored_.end()) {
    const TensorType& type = stored->second.kind.type;
    stored->second.id = graph_.add({std::string(name), Role::constant, type.dtype, fixed(type.shape), nullptr});
    values_.emplace(stored->first, stored->second.id);
    return stored->second.id;
  }
  if (!around_) return std::nullopt;
  const auto outside = around_->find(name);
  return outside ? std::optional(capture(name, *outside)) : std::nullopt;
}

Status GraphBuilder::add_node(const onnx::NodeProto& proto, int index) {
  if (proto.op_type().empty()) return user_error("has no op_type");
  Node node;
  const std::string onnx_name = qualified_name(proto.domain(), proto.op_type());
  node.op = find_onnx_op(onnx_name);
  node.op_name = node.op ? std::string(node.op->name) : onnx_name;
  node.name = node_name(proto, index);
  if (node.op && proto.output_size() == 0) return user_error("has no outputs");
  for (int i = 0; i < proto.input_size(); ++i) {
    if (proto.input(i).empty()) {
      node.inputs.emplace_back();
      continue;
    }
    const auto id = find(proto.input(i));
    if (!id)
      return user_error(
          fmt::format("input {} is {}, which no node, input or initializer produces", i, in_quotes(proto.input(i))));
    if (node.op && computes(*node.op) && node.op->role(size_t(i)) != 'c' && graph_.value(*id).dtype == DType::string)
      return user_error(fmt::format("input {}, {}, is of strings, expected numbers", i, in_quotes(proto.input(i))));
    node.inputs.push_back(*id);
  }
  PLIM_ASSIGN(node.attributes, read_attributes(proto, files_));
  PLIM_TRY(add_subgraphs(proto, node));
  PLIM_TRY(add_outputs(proto, node));
  graph_.nodes.push_back(std::move(node));
  return {};
}

Status GraphBuilder::add_outputs(const onnx::NodeProto& proto, Node& node) {
  for (const auto& output : proto.output()) {
    if (output.empty()) {
      node.outputs.emplace_back();
      continue;
    }
    Value value{output, Role::activation, DType::f32, std::nullopt, nullptr};
    if (const auto hint = hints_.find(output); hint != hints_.end())
      if (auto type = type_hint(*hint->second)) {
        value.dtype = type->dtype;
        value.shape = std::move(type->shape);
      }
    const ValueId id = graph_.add(std::move(value));
    values_.emplace(output, id);
    node.outputs.push_back(id);
  }
  return {};
}

// Subgraphs get what they capture as inputs after their own, all in one common order; the node
// reads the same values after its own inputs.
Status GraphBuilder::add_subgraphs(const onnx::NodeProto& proto, Node& node) {
  if (node.op && node.op->control == Control::none) return {};
  std::vector<std::pair<std::string, std::unique_ptr<GraphBuilder>>> builders;
  std::vector<ValueId> captures;
  std::unordered_map<int32_t, size_t> places;
  for (const auto& attribute : proto.attribute()) {
    if (!attribute.has_g()) continue;
    auto builder = std::make_unique<GraphBuilder>(attribute.g(), files_, free_names_, this);
    auto status = builder->build();
    if (!status.ok()) return std::move(status).error();
    for (const ValueId id : builder->captured())
      if (places.emplace(id.index, captures.size()).second) captures.push_back(id);
    unused_ += builder->unused();
    if (first_unused_.empty()) first_unused_ = builder->first_unused();
    builders.emplace_back(attribute.name(), std::move(builder));
  }
  if (builders.empty()) return {};
  std::vector<UsedAs> uses(captures.size(), kNotUsed);
  for (auto& [name, builder] : builders)
    node.attributes.set(name, std::make_shared<const Graph>(builder->finish(captures, &uses)));
  node.attributes.set("captures", int64_t(captures.size()));
  node.inputs.insert(node.inputs.end(), captures.begin(), captures.end());
  capture_uses_.emplace(graph_.nodes.size(), std::move(uses));
  return {};
}

Status GraphBuilder::read_outputs() {
  for (const auto& output : proto_.output()) {
    const auto id = output.name().empty() ? std::nullopt : find(output.name());
    if (!id)
      return user_error(
          fmt::format("output {} is produced by no node, input or initializer", in_quotes(output.name())));
    graph_.outputs.push_back(*id);
  }
  return {};
}

Status GraphBuilder::set_roles() {
  uses_ = find_uses(graph_, capture_uses_);
  const std::set<ValueId> unshifted = scales_without_shift();
  for (auto& [name, stored] : stored_) {
    if (!stored.id.present()) continue;
    Value& value = graph_.value(stored.id);
    const UsedAs uses = uses_[size_t(stored.id.index)];
    value.role = role_of(stored.kind, uses);
    if (value.role == Role::parameter && uses == kUsedAsData && stored.tensor && is_setting(name, stored))
      value.role = Role::constant;
    if (value.role == Role::parameter && unshifted.contains(stored.id) && stored.tensor && is_made_up_name(name) &&
        is_all_ones(*stored.tensor, stored.kind.type, files_))
      value.role = Role::constant;
    const bool learned = value.role == Role::parameter || value.role == Role::buffer;
    if (files_.stored && stored.tensor && learned && !around_)  // names inside subgraphs are not the network's
      files_.stored->emplace(name, OnnxTensor{*stored.tensor, stored.kind.type});
    if (value.role == Role::parameter && stored.kind.type.shape.rank() > 0) continue;  // weights are not read
    value.data = stored.literal;
    if (value.data || !stored.tensor) continue;
    auto contents = contents_of(*stored.tensor, stored.kind.type, files_);
    if (!contents.ok()) return std::move(contents).error().in("tensor " + in_quotes(name));
    value.data = *std::move(contents);
  }
  return {};
}

std::set<ValueId> GraphBuilder::scales_without_shift() const {
  std::set<ValueId> scales;
  for (const auto& node : graph_.nodes) {
    const bool norm = node.op_name == "layer_norm" || node.op_name == "rms_norm";
    if (norm && node.inputs.size() >= 2 && (node.inputs.size() == 2 || !node.inputs[2].present()))
      scales.insert(node.inputs[1]);
  }
  return scales;
}

// Numbers that are added or multiplied but not learned: a table, or a single one under a name that an exporter made up.
bool GraphBuilder::is_setting(std::string_view name, const Stored& stored) {
  const bool made_up = is_made_up_name(name);
  if (stored.kind.type.elements() <= Count(1)) return made_up;
  return is_table(*stored.tensor, stored.kind.type, files_, made_up);
}

std::vector<StoredParameter> GraphBuilder::stored_as(Role role) const {
  std::vector<StoredParameter> found;
  for (const auto& [name, stored] : stored_)
    if (stored.id.present() && stored.tensor && graph_.value(stored.id).role == role)
      found.push_back({stored.id, stored.tensor, stored.kind.type});
  return found;
}

void GraphBuilder::count_unused() {
  for (const auto& tensor : proto_.initializer()) {
    const Stored& stored = stored_.at(tensor.name());
    if (stored.id.present() || stored.copied) continue;
    if (unused_++ == 0) first_unused_ = tensor.name();
  }
}

Graph GraphBuilder::finish(const std::vector<ValueId>& captures, std::vector<UsedAs>* capture_uses) {
  for (size_t i = 0; i < captures.size(); ++i) {
    const auto known = capture_ids_.find(captures[i].index);
    if (known != capture_ids_.end()) {
      graph_.inputs.push_back(known->second);
      (*capture_uses)[i] |= uses_[size_t(known->second.index)];
      continue;
    }
    const Value& outside = around_->graph_.value(captures[i]);  // only a sibling reads it
    graph_.inputs.push_back(graph_.add({outside.name, Role::input, outside.dtype, outside.shape, nullptr}));
  }
  return std::move(graph_);
}

}  // namespace plimsoll
