#include "model/ir/bind.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/field_mark.h"
#include "base/text.h"
#include "model/ir/binder.h"
#include "model/ir/open_sizes.h"

namespace plimsoll {
namespace {

constexpr int kDeepest = 64;  // subgraphs inside subgraphs

}  // namespace

ValueId Binder::add(ProgramValue value) {
  program_.values.push_back(std::move(value));
  return {int32_t(program_.values.size()) - 1};
}

const Tensor* Binder::constant_of(ValueId id) const {
  return id.present() ? program_.value(id).constant.get() : nullptr;
}

// A picture of three colours that goes into convolutions is one sample, not a batch of three: detectors are exported
// so.
bool Binder::takes_one_picture() const {
  constexpr int64_t kColours = 3, kSmallest = 32;  // rows and columns of a picture
  if (!graph_.batch_symbol.empty() || graph_.inputs.empty() || options_.sample) return false;
  const SymbolicShape& shape = *graph_.value(graph_.inputs[0]).shape;
  const auto is_side = [](const Dim& dim) { return dim.is_symbolic() || dim.size >= kSmallest; };
  const bool picture = shape.size() == 3 && !shape[0].is_symbolic() && shape[0].size == kColours && is_side(shape[1]) &&
                       is_side(shape[2]);
  return picture &&
         std::any_of(graph_.nodes.begin(), graph_.nodes.end(), [](const Node& node) { return node.op_name == "conv"; });
}

Result<Shape> Binder::input_shape(const Value& value, bool first) const {
  SymbolicShape shape = *value.shape;
  if (first && options_.sample) {
    shape.resize(1, Dim(1));
    for (const int64_t dim : *options_.sample) shape.push_back(dim);
  }
  if (graph_.batch_symbol.empty() && options_.batch && !one_picture_ && !shape.empty() && !shape[0].is_symbolic()) {
    // The batch is a plain number in this file: it is whatever leads the first input.
    const SymbolicShape& leader = *graph_.value(graph_.inputs[0]).shape;
    if (first || (!leader.empty() && shape[0] == leader[0])) shape[0] = Dim(*options_.batch);
  }
  return plimsoll::bind(shape, bindings_);
}

Status Binder::bind_inputs() {
  bindings_ = options_.dims;
  if (!graph_.batch_symbol.empty() && !bindings_.count(graph_.batch_symbol))
    bindings_[graph_.batch_symbol] = options_.batch.value_or(1);
  std::set<std::string> missing = open_sizes(graph_, options_.sample.has_value());
  std::erase_if(missing, [this](const std::string& symbol) { return bindings_.count(symbol) > 0; });
  if (missing.empty()) return {};
  std::string list;
  for (const auto& symbol : missing) list += (list.empty() ? "" : ", ") + in_quotes(symbol);
  return user_error(fmt::format("the network leaves {} open", list),
                    fmt::format("set each with {} {}=N", named("dim"), printable(*missing.begin(), 80)));
}

Result<ValueMap> Binder::declare(const Graph& graph) {
  ValueMap map(graph.values.size());
  const bool top = &graph == &graph_;
  for (size_t i = 0; i < graph.values.size(); ++i) {
    const Value& value = graph.values[i];
    if (value.role == Role::activation || (!top && value.role == Role::input)) continue;
    ProgramValue bound{value.name, value.role, std::nullopt, value.data};
    const bool first = top && !graph.inputs.empty() && graph.inputs[0].index == int32_t(i);
    auto shape = value.role == Role::input ? input_shape(value, first) : plimsoll::bind(*value.shape, bindings_);
    if (!shape.ok()) return std::move(shape).error().in("value " + in_quotes(value.name));
    bound.type = TensorType{value.dtype, *shape};
    if (auto status = check_type(*bound.type); !status.ok())
      return std::move(status).error().in("value " + in_quotes(value.name));
    map[i] = add(std::move(bound));
  }
  return map;
}

Status Binder::bind_nodes(Place place) {
  if (place.depth > kDeepest) return user_error(fmt::format("subgraphs are nested more than {} deep", kDeepest));
  place.number = ++places_;
  place.reads = reads_of(place.graph);
  for (const auto& node : place.graph.nodes) {
    auto status = bind_node(node, place);
    if (!status.ok()) {
      if (!status.error().where.empty()) return status;  // an inner node has named itself
      return std::move(status).error().in(
          fmt::format("node {} ({})", in_quotes(node.name), printable(node.op_name, 80)));
    }
  }
  return {};
}

Status Binder::bind_node(const Node& node, const Place& place) {
  Operation operation{node.op,         node.op_name, node.name, {},           {},
                      node.attributes, {},           {},        place.repeat, Certainty::exact};
  for (const ValueId id : node.inputs)
    operation.inputs.push_back(id.present() ? place.map[size_t(id.index)] : ValueId{});
  if (node.op && node.op->control == Control::branch) return bind_branch(node, operation, place);
  if (node.op && node.op->control == Control::sequence) return bind_sequence(node, std::move(operation), place);
  if (node.op && node.op->control != Control::none) return bind_loop(node, operation, place);
  for (const ValueId id : node.outputs) {
    if (!id.present()) {
      operation.outputs.emplace_back();
      continue;
    }
    place.map[size_t(id.index)] = add({place.graph.value(id).name, Role::activation, std::nullopt, nullptr});
    operation.outputs.push_back(place.map[size_t(id.index)]);
  }
  return bind_call(node, std::move(operation), place);
}

// The type an exporter wrote down for a value, where our own rules could not tell.
std::optional<TensorType> Binder::hint(const Graph& graph, ValueId id) const {
  const Value& stated = graph.value(id);
  if (!stated.shape) return std::nullopt;
  const auto shape = bind(*stated.shape, bindings_);
  if (!shape.ok() || !check_type({stated.dtype, *shape}).ok()) return std::nullopt;
  return TensorType{stated.dtype, *shape};
}

void Binder::set_types(const Node& node, const Place& place, const std::vector<TensorType>& types) {
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!node.outputs[i].present()) continue;
    value(place.map[size_t(node.outputs[i].index)]).type =
        i < types.size() ? std::optional(types[i]) : hint(place.graph, node.outputs[i]);
  }
}

bool Binder::reads_bounded(const Operation& operation) const {
  for (const ValueId id : operation.inputs)
    if (id.present() && bounded_.count(id)) return true;
  return false;
}

Status Binder::bind_call(const Node& node, Operation operation, const Place& place) {
  bool typed = operation.op != nullptr;
  for (const ValueId id : operation.inputs) typed = typed && (!id.present() || program_.value(id).type);
  const bool bounded = reads_bounded(operation);
  if (bounded) bounded_.insert(operation.outputs.begin(), operation.outputs.end());
  if (typed && written_) follow_batch(node, operation, place);
  if (typed) {
    OpCall call = bounded_call(operation);
    auto types = infer(*operation.op, call);
    if (!types.ok() && types.error().kind != ErrorKind::undetermined) return std::move(types).error();
    typed = types.ok();
    if (typed) {
      set_types(node, place, *types);
      call.outputs = *types;
      if (try_fold(node, operation, call, place)) return {};
    }
  }
  if (!typed) {
    set_types(node, place, {});
    operation.certainty = Certainty::unknown;
  } else if (bounded || operation.op->data_dependent) {
    operation.certainty = Certainty::at_most;
    bounded_.insert(operation.outputs.begin(), operation.outputs.end());
  }
  program_.operations.push_back(std::move(operation));
  return {};
}

void Binder::convert_formats() {
  for (auto& bound : program_.values) {
    if (!bound.type || !is_floating(bound.type->dtype)) continue;
    if (bound.type->dtype == DType::complex64 || bound.type->dtype == DType::complex128) continue;
    const bool stored = bound.role == Role::parameter || bound.role == Role::buffer;
    bound.type->dtype = (stored ? options_.parameters : options_.activations).value_or(bound.type->dtype);
  }
}

// The call with the types of all outputs: a cost rule may look at one that the node leaves out.
OpCall Binder::complete_call(const Operation& operation) const {
  OpCall call = call_of(program_, operation);
  bool complete = true;
  for (const ValueId id : operation.outputs) complete = complete && id.present();
  if (complete && !operation.outputs.empty()) return call;
  if (auto types = infer(*operation.op, call); types.ok()) call.outputs = std::move(types).value();
  return call;
}

Status Binder::add_costs() {
  for (auto& operation : program_.operations) {
    if (operation.certainty == Certainty::unknown) continue;
    const OpCall call = complete_call(operation);
    if (operation.op->cost) operation.cost = operation.op->cost(call);
    operation.moved = bytes_moved(*operation.op, call);
    if ((operation.cost.flops * operation.repeat).overflowed() || (operation.moved * operation.repeat).overflowed())
      return user_error("its operations or bytes are more than a 64-bit count holds (overflow)")
          .in("node " + in_quotes(operation.name));
  }
  return {};
}

Result<Program> Binder::run() {
  const WorkLimit limit(kFoldWork);
  work_ = &limit;
  program_.name = graph_.name;
  program_.notes = graph_.notes;
  PLIM_TRY(bind_inputs());
  one_picture_ = takes_one_picture();
  if (one_picture_ && options_.batch.value_or(1) != 1)
    return user_error(
        fmt::format("it takes one picture of {}, without a batch axis", text(*graph_.value(graph_.inputs[0]).shape)),
        "batch 1 is the only one");
  PLIM_ASSIGN(top_map_, declare(graph_));
  PLIM_TRY(bind_nodes({graph_, top_map_, Count(1), 0, 0, {}}));
  const auto mapped = [&](ValueId id) { return top_map_[size_t(id.index)]; };
  for (const ValueId id : graph_.inputs) program_.inputs.push_back(mapped(id));
  for (const ValueId id : graph_.outputs) program_.outputs.push_back(mapped(id));
  program_.batch = options_.batch.value_or(1);
  if (!one_picture_ && !program_.inputs.empty() && program_.value(program_.inputs[0]).type->shape.rank() > 0)
    program_.batch = program_.value(program_.inputs[0]).type->shape[0];
  convert_formats();
  PLIM_TRY(add_costs());
  if (written_) PLIM_TRY(check_batch());
  return std::move(program_);
}

Result<Program> bind(const Graph& graph, const BindOptions& options) {
  Binder binder(graph, options);
  if (!binder.asks_another_batch()) return binder.run();
  BindOptions as_written = options;
  as_written.batch = std::nullopt;
  Binder written(graph, as_written);
  const auto program = written.run();
  return program.ok() ? binder.run_like(written, *program) : binder.run();
}

}  // namespace plimsoll
