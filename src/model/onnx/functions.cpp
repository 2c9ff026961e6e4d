#include "model/onnx/functions.h"

#include <fmt/format.h>

#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/field_mark.h"
#include "base/text.h"
#include "model/onnx/uncopied_data.h"
#include "model/ops/all_ops.h"

namespace plimsoll {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

constexpr size_t kDeepestCalls = 64;
constexpr int kDeepestSubgraphs = 64;
constexpr int64_t kMostBytes = 64 << 20;  // that inlining may add, for the default limit of nodes
constexpr size_t kLongestPrefix = 200;    // names grow with each call inside a call
constexpr uint32_t kNodeOverload = 8, kFunctionOverload = 13, kFunctionDefaults = 11;  // newer than the schema

struct Function {
  onnx::FunctionProto* proto;
  std::vector<onnx::AttributeProto> defaults;
  enum { unseen, open, done } state = unseen;
};

std::string overload(std::string_view unknown_fields, uint32_t field) {
  const auto found = unknown_bytes(unknown_fields, field);
  return found.empty() ? std::string() : std::string(found.back());
}

std::string key_of(const std::string& domain, const std::string& name, const std::string& overload) {
  return qualified_name(domain, name) + (overload.empty() ? "" : ":" + overload);
}

// One call: how names and attributes of the body read outside.
struct Call {
  std::unordered_map<std::string, std::string> names;  // the function's inputs and outputs → the caller's
  std::string prefix;                                  // for every other name
  std::unordered_map<std::string, const onnx::AttributeProto*> attributes;

  std::string rename(const std::string& name) const {
    if (name.empty()) return name;
    const auto found = names.find(name);
    return found != names.end() ? found->second : prefix + "::" + name;
  }
};

class Inliner {
 public:
  Inliner(onnx::ModelProto& model, const ImportLimits& limits)
      : model_(model),
        limits_(limits),
        bytes_left_(kMostBytes * std::max<int64_t>(1, std::min<int64_t>(limits.nodes / ImportLimits{}.nodes, 16))) {}

  Status run(const Opsets& opsets);

 private:
  Status read_functions(const Opsets& opsets);
  Function* called(const onnx::NodeProto& node);
  Status check_circles(const std::string& key, Function& function);
  Status check_circles(const Nodes& nodes);
  Status inline_nodes(Nodes& nodes, bool copied);
  Status emit(onnx::NodeProto&& node, Nodes& out, bool copied);
  Status expand(const onnx::NodeProto& call_node, Function& function, Nodes& out);
  Call enter(const onnx::NodeProto& call_node, const Function& function);
  void rename(onnx::NodeProto& node, const Call& call) const;
  void rename(onnx::GraphProto& graph, const Call& call) const;
  Status spend(const onnx::NodeProto& node);

  onnx::ModelProto& model_;
  const ImportLimits& limits_;
  std::unordered_map<std::string, Function> functions_;
  std::vector<std::string> path_;
  std::unordered_set<std::string> prefixes_;
  int64_t nodes_ = 0;
  int64_t bytes_left_;
  int depth_ = 0;  // subgraphs around the nodes being inlined
};

Status Inliner::read_functions(const Opsets& opsets) {
  for (auto& proto : *model_.mutable_functions()) {
    const std::string key = key_of(proto.domain(), proto.name(), overload(proto.unknown_fields(), kFunctionOverload));
    Function function{&proto, {}, Function::unseen};
    for (const auto bytes : unknown_bytes(proto.unknown_fields(), kFunctionDefaults))
      if (!function.defaults.emplace_back().ParseFromArray(bytes.data(), int(bytes.size())))
        return user_error("an attribute's default cannot be read").in("function " + in_quotes(key));
    if (!functions_.emplace(key, std::move(function)).second)
      return user_error(fmt::format("defines the function {} twice", in_quotes(key)));
    PLIM_ASSIGN(const Opsets own, read_opsets(proto.opset_import()));
    adapt_to_opset(*proto.mutable_node(), own.empty() ? opsets : own);
  }
  return {};
}

// An operation that we know needs no function to tell what it does.
Function* Inliner::called(const onnx::NodeProto& node) {
  if (find_onnx_op(qualified_name(node.domain(), node.op_type()))) return nullptr;
  const auto found =
      functions_.find(key_of(node.domain(), node.op_type(), overload(node.unknown_fields(), kNodeOverload)));
  return found == functions_.end() ? nullptr : &found->second;
}

Status Inliner::check_circles(const std::string& key, Function& function) {
  if (function.state == Function::done) return {};
  path_.push_back(key);
  if (function.state == Function::open) {
    std::string circle;
    auto at = std::find(path_.begin(), path_.end(), key);
    for (; at != path_.end(); ++at) circle += (circle.empty() ? "" : " → ") + in_quotes(*at);
    return user_error(fmt::format("functions call each other in a circle: {}", circle));
  }
  if (path_.size() > kDeepestCalls)
    return user_error(
        fmt::format("functions are nested too deep: more than {} calls inside each other", kDeepestCalls));
  function.state = Function::open;
  PLIM_TRY(check_circles(function.proto->node()));
  function.state = Function::done;
  path_.pop_back();
  return {};
}

Status Inliner::check_circles(const Nodes& nodes) {
  for (const auto& node : nodes) {
    if (Function* function = called(node))
      PLIM_TRY(check_circles(key_of(node.domain(), node.op_type(), overload(node.unknown_fields(), kNodeOverload)),
                             *function));
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) PLIM_TRY(check_circles(attribute.g().node()));
      for (const auto& graph : attribute.graphs()) PLIM_TRY(check_circles(graph.node()));
    }
  }
  return {};
}

Status Inliner::spend(const onnx::NodeProto& node) {
  bytes_left_ -= 2 * int64_t(node.ByteSizeLong()) + 500;
  if (bytes_left_ >= 0) return {};
  return user_error("inlining its functions takes more memory than the limit of nodes allows",
                    "raise it with " + named("max_nodes"));
}

// Replaces calls in a list of nodes. Nodes that are copies made here are paid for.
Status Inliner::inline_nodes(Nodes& nodes, bool copied) {
  if (depth_ > kDeepestSubgraphs)
    return user_error(
        fmt::format("nested too deep: subgraphs more than {} deep once functions are inlined", kDeepestSubgraphs));
  Nodes old;
  old.Swap(&nodes);
  nodes.Reserve(old.size());
  for (auto& node : old) PLIM_TRY(emit(std::move(node), nodes, copied));
  return {};
}

Status Inliner::emit(onnx::NodeProto&& node, Nodes& out, bool copied) {
  if (++nodes_ > limits_.nodes)
    return user_error(fmt::format("has more than {} nodes once its functions are inlined, which is the limit",
                                  with_commas(limits_.nodes)),
                      "raise it with " + named("max_nodes"));
  if (copied) PLIM_TRY(spend(node));
  ++depth_;
  for (auto& attribute : *node.mutable_attribute()) {
    if (attribute.has_g()) PLIM_TRY(inline_nodes(*attribute.mutable_g()->mutable_node(), copied));
    for (auto& graph : *attribute.mutable_graphs()) PLIM_TRY(inline_nodes(*graph.mutable_node(), copied));
  }
  --depth_;
  if (Function* function = called(node)) return expand(node, *function, out);
  *out.Add() = std::move(node);
  return {};
}

Call Inliner::enter(const onnx::NodeProto& call_node, const Function& function) {
  const auto& body = *function.proto;
  Call call;
  call.prefix = call_node.name().empty() ? body.name() : call_node.name();
  if (call.prefix.size() > kLongestPrefix) call.prefix = call.prefix.substr(call.prefix.size() - kLongestPrefix);
  if (!prefixes_.insert(call.prefix).second) {
    call.prefix += fmt::format("_{}", nodes_);
    prefixes_.insert(call.prefix);
  }
  for (int i = 0; i < body.output_size(); ++i)
    if (i < call_node.output_size() && !call_node.output(i).empty()) call.names[body.output(i)] = call_node.output(i);
  for (int i = 0; i < body.input_size(); ++i)
    call.names[body.input(i)] = i < call_node.input_size() ? call_node.input(i) : std::string();
  for (const auto& attribute : function.defaults) call.attributes[attribute.name()] = &attribute;
  for (const auto& attribute : call_node.attribute()) call.attributes[attribute.name()] = &attribute;
  return call;
}

Status Inliner::expand(const onnx::NodeProto& call_node, Function& function, Nodes& out) {
  const auto& body = *function.proto;
  if (call_node.input_size() > body.input_size() || call_node.output_size() > body.output_size())
    return user_error(fmt::format("is called with {} inputs and {} outputs, the function has {} and {}",
                                  call_node.input_size(), call_node.output_size(), body.input_size(),
                                  body.output_size()))
        .in("node " + in_quotes(call_node.name()));
  const Call call = enter(call_node, function);
  for (const auto& node : body.node()) {
    PLIM_TRY(spend(node));
    onnx::NodeProto copy = node;
    rename(copy, call);
    PLIM_TRY(emit(std::move(copy), out, true));
  }
  // An output that is an input of the function too is passed on by no node of the body.
  for (int i = 0; i < std::min(body.output_size(), call_node.output_size()); ++i) {
    const auto name = call.names.find(body.output(i));
    if (call_node.output(i).empty() || (name != call.names.end() && name->second == call_node.output(i))) continue;
    auto* identity = out.Add();
    identity->set_op_type("Identity");
    identity->set_name(call.prefix + "/" + body.output(i));
    identity->add_input(call.rename(body.output(i)));
    identity->add_output(call_node.output(i));
  }
  return {};
}

void Inliner::rename(onnx::NodeProto& node, const Call& call) const {
  for (auto& name : *node.mutable_input()) name = call.rename(name);
  for (auto& name : *node.mutable_output()) name = call.rename(name);
  if (!node.name().empty()) node.set_name(call.prefix + "/" + node.name());
  google::protobuf::RepeatedPtrField<onnx::AttributeProto> attributes;
  attributes.Swap(node.mutable_attribute());
  for (auto& attribute : attributes) {
    if (attribute.ref_attr_name().empty()) {
      if (attribute.has_g()) rename(*attribute.mutable_g(), call);
      for (auto& graph : *attribute.mutable_graphs()) rename(graph, call);
      *node.add_attribute() = std::move(attribute);
      continue;
    }
    const auto given = call.attributes.find(attribute.ref_attr_name());
    if (given == call.attributes.end()) continue;  // neither given nor with a default: left out here too
    auto* filled = node.add_attribute();
    *filled = *given->second;
    filled->set_name(attribute.name());
  }
}

void Inliner::rename(onnx::GraphProto& graph, const Call& call) const {
  for (auto* list : {graph.mutable_input(), graph.mutable_output(), graph.mutable_value_info()})
    for (auto& value : *list) value.set_name(call.rename(value.name()));
  for (auto& tensor : *graph.mutable_initializer()) tensor.set_name(call.rename(tensor.name()));
  for (auto& sparse : *graph.mutable_sparse_initializer())
    sparse.mutable_values()->set_name(call.rename(sparse.values().name()));
  for (auto& node : *graph.mutable_node()) rename(node, call);
}

Status Inliner::run(const Opsets& opsets) {
  PLIM_TRY(read_functions(opsets));
  for (auto& [key, function] : functions_) PLIM_TRY(check_circles(key, function));
  return inline_nodes(*model_.mutable_graph()->mutable_node(), false);
}

}  // namespace

Status inline_functions(onnx::ModelProto& model, const Opsets& opsets, const ImportLimits& limits) {
  if (model.functions_size() == 0) return {};
  return Inliner(model, limits).run(opsets);
}

}  // namespace plimsoll
