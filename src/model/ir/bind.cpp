#include "model/ir/bind.h"

#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "model/ir/evaluate.h"
#include "model/ir/sequences.h"

namespace plimsoll {
namespace {

constexpr int64_t kLargestFold = 1 << 20;          // elements of one folded tensor
constexpr int64_t kFoldBudget = 500'000'000;       // operations and elements spent on folding in all
constexpr int64_t kMostRounds = int64_t{1} << 31;  // a loop that may run longer has no bound worth the name
constexpr int kDeepest = 64;                       // subgraphs inside subgraphs
constexpr int64_t kUnrollBudget = 100'000;         // nodes of loop bodies bound round by round
constexpr int64_t kItemBudget = 10'000'000;        // items of all sequences together

using ValueMap = std::vector<ValueId>;  // a graph's value → the program's

// Walks a graph and its subgraphs in order and appends to one Program.
class Binder {
 public:
  Binder(const Graph& graph, const BindOptions& options) : graph_(graph), options_(options) {}

  Result<Program> run();

 private:
  Status bind_inputs();
  Result<Shape> input_shape(const Value& value, bool first) const;
  Result<ValueMap> declare(const Graph& graph);
  Status bind_nodes(const Graph& graph, ValueMap& map, Count repeat, int depth);
  Status bind_node(const Graph& graph, const Node& node, ValueMap& map, Count repeat, int depth);
  Status bind_call(const Graph& graph, const Node& node, Operation operation, const ValueMap& map);
  Status bind_branch(const Graph& graph, const Node& node, const Operation& call, ValueMap& map, Count repeat,
                     int depth);
  Status bind_loop(const Graph& graph, const Node& node, const Operation& call, ValueMap& map, Count repeat, int depth);
  Status bind_sequence(const Graph& graph, const Node& node, Operation operation, ValueMap& map);
  Status unroll(const Node& node, const Operation& call, ValueMap& map, Count repeat, int depth, int64_t rounds);
  bool unrolls(const Node& node, const Operation& call, int64_t carried, std::optional<int64_t> rounds) const;
  std::optional<bool> known_condition(ValueId id) const;
  Result<ValueMap> bind_body(const Graph& body, const std::vector<ValueId>& arguments, Count repeat, int depth);
  ValueId add(ProgramValue value);
  bool try_fold(const Operation& operation, const OpCall& call);
  std::optional<TensorType> hint(const Graph& graph, ValueId id) const;
  void set_types(const Graph& graph, const Node& node, const ValueMap& map, const std::vector<TensorType>& types);
  bool at_most(const Operation& operation) const;
  void convert_formats();
  Status add_costs();

  const Graph& graph_;
  const BindOptions& options_;
  Program program_;
  Bindings bindings_;
  ValueMap top_map_;
  std::set<ValueId> bounded_;  // values whose size is only known as the largest it can be
  int64_t fold_budget_ = kFoldBudget;
  int64_t unroll_budget_ = kUnrollBudget;
  int64_t item_budget_ = kItemBudget;
};

Result<Shape> Binder::input_shape(const Value& value, bool first) const {
  SymbolicShape shape = *value.shape;
  if (first && options_.sample) {
    shape.resize(1, Dim(1));
    for (const int64_t dim : *options_.sample) shape.push_back(dim);
  }
  const bool fixed_batch = !shape.empty() && !shape[0].is_symbolic();
  if (graph_.batch_symbol.empty() && options_.batch && fixed_batch) shape[0] = Dim(*options_.batch);
  return bind(shape, bindings_);
}

Status Binder::bind_inputs() {
  bindings_ = options_.dims;
  if (!graph_.batch_symbol.empty() && !bindings_.count(graph_.batch_symbol))
    bindings_[graph_.batch_symbol] = options_.batch.value_or(1);
  std::set<std::string> missing;
  for (size_t i = 0; i < graph_.inputs.size(); ++i) {
    const SymbolicShape& shape = *graph_.value(graph_.inputs[i]).shape;
    const size_t kept = i == 0 && options_.sample ? 1 : shape.size();
    for (size_t axis = 0; axis < std::min(kept, shape.size()); ++axis)
      if (shape[axis].is_symbolic() && !bindings_.count(shape[axis].symbol)) missing.insert(shape[axis].symbol);
  }
  if (missing.empty()) return {};
  std::string list;
  for (const auto& symbol : missing) list += (list.empty() ? "" : ", ") + quoted(symbol);
  return user_error(fmt::format("the network leaves {} open", list),
                    fmt::format("set each with --dim {}=N", printable(*missing.begin(), 80)));
}

Result<ValueMap> Binder::declare(const Graph& graph) {
  ValueMap map(graph.values.size());
  const bool top = &graph == &graph_;
  for (size_t i = 0; i < graph.values.size(); ++i) {
    const Value& value = graph.values[i];
    if (value.role == Role::activation || (!top && value.role == Role::input)) continue;
    ProgramValue bound{value.name, value.role, std::nullopt, value.data};
    const bool first = top && !graph.inputs.empty() && graph.inputs[0].index == int32_t(i);
    auto shape = value.role == Role::input ? input_shape(value, first) : bind(*value.shape, bindings_);
    if (!shape.ok()) return std::move(shape).error().in("value " + quoted(value.name));
    bound.type = TensorType{value.dtype, *shape};
    map[i] = {int32_t(program_.values.size())};
    program_.values.push_back(std::move(bound));
  }
  return map;
}

Status Binder::bind_nodes(const Graph& graph, ValueMap& map, Count repeat, int depth) {
  if (depth > kDeepest) return user_error(fmt::format("subgraphs are nested more than {} deep", kDeepest));
  for (const auto& node : graph.nodes) {
    auto status = bind_node(graph, node, map, repeat, depth);
    if (!status.ok()) {
      if (!status.error().where.empty()) return status;  // an inner node has named itself
      return std::move(status).error().in(fmt::format("node {} ({})", quoted(node.name), printable(node.op_name, 80)));
    }
  }
  return {};
}

Status Binder::bind_node(const Graph& graph, const Node& node, ValueMap& map, Count repeat, int depth) {
  Operation operation{node.op, node.op_name, node.name, {}, {}, node.attributes, {}, {}, repeat, Certainty::exact};
  for (const ValueId id : node.inputs) operation.inputs.push_back(id.present() ? map[size_t(id.index)] : ValueId{});
  if (node.op && node.op->control == Control::branch) return bind_branch(graph, node, operation, map, repeat, depth);
  if (!node.op && is_sequence_operation(node.op_name)) return bind_sequence(graph, node, std::move(operation), map);
  if (node.op && node.op->control != Control::none) return bind_loop(graph, node, operation, map, repeat, depth);
  for (const ValueId id : node.outputs) {
    if (!id.present()) {
      operation.outputs.emplace_back();
      continue;
    }
    map[size_t(id.index)] = {int32_t(program_.values.size())};
    operation.outputs.push_back(map[size_t(id.index)]);
    program_.values.push_back({graph.value(id).name, Role::activation, std::nullopt, nullptr});
  }
  return bind_call(graph, node, std::move(operation), map);
}

// The type an exporter wrote down for a value, where our own rules could not tell.
std::optional<TensorType> Binder::hint(const Graph& graph, ValueId id) const {
  const Value& value = graph.value(id);
  if (!value.shape) return std::nullopt;
  const auto shape = bind(*value.shape, bindings_);
  if (!shape.ok() || shape->elements().overflowed()) return std::nullopt;
  return TensorType{value.dtype, *shape};
}

void Binder::set_types(const Graph& graph, const Node& node, const ValueMap& map,
                       const std::vector<TensorType>& types) {
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!node.outputs[i].present()) continue;
    ProgramValue& value = program_.values[size_t(map[size_t(node.outputs[i].index)].index)];
    value.type = i < types.size() ? std::optional(types[i]) : hint(graph, node.outputs[i]);
  }
}

bool Binder::at_most(const Operation& operation) const {
  for (const ValueId id : operation.inputs)
    if (id.present() && bounded_.count(id)) return true;
  return operation.op->data_dependent;
}

Status Binder::bind_call(const Graph& graph, const Node& node, Operation operation, const ValueMap& map) {
  bool typed = operation.op != nullptr;
  for (const ValueId id : operation.inputs) typed = typed && (!id.present() || program_.value(id).type);
  if (typed) {
    const OpCall call = call_of(program_, operation);
    auto types = infer(*operation.op, call);
    if (!types.ok() && types.error().kind != ErrorKind::undetermined) return std::move(types).error();
    typed = types.ok();
    if (typed) {
      set_types(graph, node, map, *types);
      OpCall complete = call;
      complete.outputs = *types;
      if (try_fold(operation, complete)) return {};
    }
  }
  if (!typed) {
    set_types(graph, node, map, {});
    operation.certainty = Certainty::unknown;
  } else if (at_most(operation)) {
    operation.certainty = Certainty::at_most;
    bounded_.insert(operation.outputs.begin(), operation.outputs.end());
  }
  program_.operations.push_back(std::move(operation));
  return {};
}

// Computes the outputs when they follow from the graph alone. Small things only: the
// point is shape arithmetic, not running the network.
bool Binder::try_fold(const Operation& operation, const OpCall& call) {
  const Op& op = *operation.op;
  if (op.from_types && operation.outputs[0].present()) {
    program_.values[size_t(operation.outputs[0].index)].constant = op.from_types(call);
    return true;
  }
  if (!op.reference || op.random) return false;
  int64_t work = 0;
  std::vector<const Tensor*> inputs;
  for (size_t i = 0; i < call.input_count(); ++i) {
    if (call.has(i) && !call.constant(i)) return false;
    inputs.push_back(call.constant(i));
    if (call.has(i)) work += int64_t(call.constant(i)->size());
  }
  for (const auto& type : call.outputs) {
    if (type.elements().value() > kLargestFold) return false;
    work += type.elements().value();
  }
  const Flops flops = op.cost ? op.cost(call).flops : Flops(0);
  if (flops.value() > fold_budget_ || work > fold_budget_ - flops.value()) return false;
  fold_budget_ -= work + flops.value();
  auto outputs = evaluate(op, operation.attributes, inputs, operation.outputs.size());
  if (!outputs.ok() || !outputs->has_value()) return false;
  for (size_t i = 0; i < operation.outputs.size(); ++i) {
    if (!operation.outputs[i].present()) continue;
    ProgramValue& value = program_.values[size_t(operation.outputs[i].index)];
    value.type = (**outputs)[i].type;
    value.constant = std::make_shared<Tensor>(std::move((**outputs)[i]));
    value.role = Role::constant;
  }
  return true;
}

Result<ValueMap> Binder::bind_body(const Graph& body, const std::vector<ValueId>& arguments, Count repeat, int depth) {
  if (body.inputs.size() != arguments.size())
    return user_error(fmt::format("subgraph {} takes {} inputs, {} are given", quoted(body.name), body.inputs.size(),
                                  arguments.size()));
  PLIM_ASSIGN(ValueMap map, declare(body));
  for (size_t i = 0; i < arguments.size(); ++i) map[size_t(body.inputs[i].index)] = arguments[i];
  PLIM_TRY(bind_nodes(body, map, repeat, depth + 1));
  return map;
}

ValueId Binder::add(ProgramValue value) {
  program_.values.push_back(std::move(value));
  return {int32_t(program_.values.size()) - 1};
}

// An operation on a sequence whose items are known is followed and leaves nothing behind.
Status Binder::bind_sequence(const Graph& graph, const Node& node, Operation operation, ValueMap& map) {
  PLIM_ASSIGN(auto step, follow_sequence(program_, operation));
  if (node.outputs.empty() || !node.outputs[0].present()) return {};
  if (step && step->items) item_budget_ -= int64_t(step->items->size());
  if (item_budget_ < 0) step = std::nullopt;
  ValueId& output = map[size_t(node.outputs[0].index)];
  if (step && step->tensor) {
    output = *step->tensor;
    return {};
  }
  output = {int32_t(program_.values.size())};
  ProgramValue& value = program_.values.emplace_back();
  value.name = graph.value(node.outputs[0]).name;
  if (step && step->length) {
    value.role = Role::constant;
    value.constant = std::make_shared<Tensor>(integer_scalar(*step->length));
    value.type = value.constant->type;
  } else if (step) {
    value.items = std::make_shared<const std::vector<ValueId>>(std::move(*step->items));
  } else {
    value.type = hint(graph, node.outputs[0]);
    operation.outputs = {output};
    operation.certainty = Certainty::unknown;
    program_.operations.push_back(std::move(operation));
  }
  return {};
}

// Whether a loop is bound round by round: one that fills sequences, so that their items are known.
bool Binder::unrolls(const Node& node, const Operation& call, int64_t carried, std::optional<int64_t> rounds) const {
  const auto body = node.attributes.graph("body");
  const bool goes_on = !call.inputs[1].present() || known_condition(call.inputs[1]) == true;
  if (!rounds || !goes_on || int64_t(node.outputs.size()) > carried) return false;
  if (int64_t(body->outputs.size()) != 1 + carried) return false;
  if (*rounds > unroll_budget_ / int64_t(body->nodes.size() + 1)) return false;
  for (const auto& value : body->values)  // what is stored inside must not count once a round
    if (value.role == Role::parameter || value.role == Role::buffer) return false;
  return std::any_of(call.inputs.begin() + 2, call.inputs.begin() + 2 + carried,
                     [&](ValueId id) { return items_of(program_, id) != nullptr; });
}

Status Binder::unroll(const Node& node, const Operation& call, ValueMap& map, Count repeat, int depth, int64_t rounds) {
  const auto body = node.attributes.graph("body");
  std::vector<ValueId> state(call.inputs.begin() + 2, call.inputs.end());  // carried, then captured
  for (ValueId& id : state)
    if (!id.present()) id = add({});
  bool certain = true;
  for (int64_t round = 0; round < rounds; ++round) {
    unroll_budget_ -= int64_t(body->nodes.size() + 1);
    const auto number = std::make_shared<Tensor>(integer_scalar(round));
    std::vector<ValueId> arguments = {add({"round", Role::constant, number->type, number}),
                                      add({"condition", Role::activation, TensorType{DType::boolean, {}}, nullptr})};
    arguments.insert(arguments.end(), state.begin(), state.end());
    const size_t first = program_.operations.size();
    PLIM_ASSIGN(const ValueMap inner, bind_body(*body, arguments, repeat, depth));
    for (size_t i = first; i < program_.operations.size() && !certain; ++i)
      if (program_.operations[i].certainty == Certainty::exact) program_.operations[i].certainty = Certainty::at_most;
    for (size_t i = 1; i < body->outputs.size(); ++i) state[i - 1] = inner[size_t(body->outputs[i].index)];
    const auto goes_on = known_condition(inner[size_t(body->outputs[0].index)]);
    if (goes_on == false) break;
    certain = certain && goes_on;
  }
  for (ValueId& id : state)
    if (!certain && items_of(program_, id)) id = add({});  // it may have ended earlier, with fewer items
  for (size_t i = 0; i < node.outputs.size(); ++i)
    if (node.outputs[i].present()) map[size_t(node.outputs[i].index)] = state[i];
  return {};
}

std::optional<bool> Binder::known_condition(ValueId id) const {
  const Tensor* condition = program_.value(id).constant.get();
  if (!condition || condition->type.dtype != DType::boolean || condition->size() != 1) return std::nullopt;
  return *condition->as<bool>();
}

// If: the branch that is taken where the condition is known, the costlier one where it is not.
Status Binder::bind_branch(const Graph& graph, const Node& node, const Operation& call, ValueMap& map, Count repeat,
                           int depth) {
  const auto then_branch = node.attributes.graph("then_branch");
  const auto else_branch = node.attributes.graph("else_branch");
  if (!then_branch || !else_branch || call.inputs.empty() || !call.inputs[0].present())
    return user_error("needs a condition, a then_branch and an else_branch");
  const std::vector<ValueId> captures(call.inputs.begin() + 1, call.inputs.end());
  const auto condition = known_condition(call.inputs[0]);
  const bool known = condition.has_value();

  const size_t values_before = program_.values.size();
  struct Branch {
    const Graph* graph;
    ValueMap map;
    size_t first, last;
    Flops flops;
  };
  std::vector<Branch> bound;
  for (const auto* branch : {then_branch.get(), else_branch.get()}) {
    if (known && (branch == then_branch.get()) != *condition) continue;
    const size_t first = program_.operations.size();
    PLIM_ASSIGN(ValueMap inner, bind_body(*branch, captures, repeat, depth));
    Flops flops;
    for (size_t i = first; i < program_.operations.size(); ++i) {
      Operation& operation = program_.operations[i];
      if (!known && operation.certainty == Certainty::exact) operation.certainty = Certainty::at_most;
      if (operation.op && operation.op->cost && operation.certainty != Certainty::unknown)
        flops += operation.op->cost(call_of(program_, operation)).flops * operation.repeat;
    }
    bound.push_back({branch, std::move(inner), first, program_.operations.size(), flops});
  }
  const size_t taken = bound.size() == 2 && bound[1].flops > bound[0].flops ? 1 : 0;
  if (bound.size() == 2) {
    const Branch& other = bound[1 - taken];
    program_.operations.erase(program_.operations.begin() + int64_t(other.first),
                              program_.operations.begin() + int64_t(other.last));
  }
  const Branch& branch = bound[taken];
  if (branch.graph->outputs.size() < node.outputs.size())
    return user_error(
        fmt::format("{} outputs are asked for, the branch has {}", node.outputs.size(), branch.graph->outputs.size()));
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!node.outputs[i].present()) continue;
    ValueId inner = branch.map[size_t(branch.graph->outputs[i].index)];
    if (!known && size_t(inner.index) < values_before) {  // the branch passes on what was there before
      inner = add({program_.value(inner).name, Role::activation, program_.value(inner).type, nullptr});
    }
    map[size_t(node.outputs[i].index)] = inner;
    if (!known) {  // what this branch computes is not a constant of the network
      program_.values[size_t(inner.index)].constant = nullptr;
      bounded_.insert(inner);
    }
    if (!program_.value(inner).type) program_.values[size_t(inner.index)].type = hint(graph, node.outputs[i]);
  }
  return {};
}

// Loop and Scan: the body once, its cost times the rounds where those are known. Loop reads (rounds,
// condition, carried …), Scan (carried …, sequences …); both then read what the body captures.
Status Binder::bind_loop(const Graph& graph, const Node& node, const Operation& call, ValueMap& map, Count repeat,
                         int depth) {
  const auto body = node.attributes.graph("body");
  if (!body) return user_error("has no body");
  const bool loop = node.op->control == Control::loop;
  const int64_t captures = node.attributes.integer("captures", 0);
  const int64_t sequences = loop ? 0 : node.attributes.integer("num_scan_inputs", 0);
  const int64_t head = loop ? 2 : 0;
  const int64_t carried = int64_t(call.inputs.size()) - head - captures - sequences;
  if (carried < 0 || sequences < 0) return user_error("has fewer inputs than its body needs");

  std::optional<int64_t> rounds;
  std::vector<ValueId> arguments;
  if (loop) {
    const Tensor* limit = call.inputs[0].present() ? program_.value(call.inputs[0]).constant.get() : nullptr;
    if (limit && limit->size() == 1 && !limit->integers().empty()) rounds = std::max<int64_t>(0, limit->integers()[0]);
    if (rounds && *rounds > kMostRounds) rounds = std::nullopt;
    if (unrolls(node, call, carried, rounds)) return unroll(node, call, map, repeat, depth, *rounds);
    arguments.push_back(add({"round", Role::activation, TensorType{DType::i64, {}}, nullptr}));
    arguments.push_back(add({"condition", Role::activation, TensorType{DType::boolean, {}}, nullptr}));
  }
  for (size_t i = size_t(head); i < call.inputs.size(); ++i) {
    const int64_t place = int64_t(i) - head;
    if (call.inputs[i].present() && place >= carried + sequences) {  // captured: the same in every round
      arguments.push_back(call.inputs[i]);
      continue;
    }
    ProgramValue value;
    if (call.inputs[i].present())
      value = {program_.value(call.inputs[i]).name, Role::activation, program_.value(call.inputs[i]).type, nullptr};
    if (place >= carried && value.type) {
      if (value.type->shape.rank() < 1) return user_error(fmt::format("scan input {} is a scalar", i));
      if (value.type->shape.rank() >= 1) rounds = value.type->shape[0];
      value.type->shape = Shape(std::vector<int64_t>(value.type->shape.begin() + 1, value.type->shape.end()));
    }
    arguments.push_back(add(std::move(value)));
  }
  const size_t first = program_.operations.size();
  PLIM_ASSIGN(ValueMap inner, bind_body(*body, arguments, repeat * rounds.value_or(1), depth));
  for (size_t i = first; i < program_.operations.size(); ++i) {
    Certainty& certainty = program_.operations[i].certainty;
    if (certainty == Certainty::unknown) continue;
    if (!rounds) certainty = Certainty::unbounded;
    else if (loop && certainty == Certainty::exact) certainty = Certainty::at_most;  // its condition may end it early
  }
  const size_t body_head = loop ? 1 : 0;  // Loop's body answers with its condition first
  if (body->outputs.size() < body_head + node.outputs.size())
    return user_error(fmt::format("{} outputs are asked for, the body has {}", node.outputs.size(),
                                  body->outputs.size() - std::min(body->outputs.size(), body_head)));
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!node.outputs[i].present()) continue;
    const ValueId from = inner[size_t(body->outputs[body_head + i].index)];
    ProgramValue value{graph.value(node.outputs[i]).name, Role::activation, program_.value(from).type, nullptr};
    if (int64_t(i) >= carried && value.type) {  // collected from every round
      std::vector<int64_t> dims(value.type->shape.begin(), value.type->shape.end());
      dims.insert(dims.begin(), rounds.value_or(0));
      value.type->shape = Shape(std::move(dims));
      if (!rounds || value.type->elements().overflowed()) value.type = std::nullopt;
    }
    if (!value.type) value.type = hint(graph, node.outputs[i]);
    map[size_t(node.outputs[i].index)] = {int32_t(program_.values.size())};
    bounded_.insert(map[size_t(node.outputs[i].index)]);
    program_.values.push_back(std::move(value));
  }
  return {};
}

void Binder::convert_formats() {
  for (auto& value : program_.values) {
    if (!value.type || !is_floating(value.type->dtype)) continue;
    const bool stored = value.role == Role::parameter || value.role == Role::buffer;
    value.type->dtype = (stored ? options_.parameters : options_.activations).value_or(value.type->dtype);
  }
}

Status Binder::add_costs() {
  for (auto& operation : program_.operations) {
    if (operation.certainty == Certainty::unknown) continue;
    const OpCall call = call_of(program_, operation);
    if (operation.op->cost) operation.cost = operation.op->cost(call);
    operation.moved = bytes_moved(*operation.op, call);
    if (operation.cost.flops.overflowed() || operation.moved.overflowed())
      return user_error("its operations or bytes are more than a 64-bit count holds (overflow)")
          .in("node " + quoted(operation.name));
  }
  return {};
}

Result<Program> Binder::run() {
  program_.name = graph_.name;
  program_.notes = graph_.notes;
  PLIM_TRY(bind_inputs());
  PLIM_ASSIGN(top_map_, declare(graph_));
  PLIM_TRY(bind_nodes(graph_, top_map_, Count(1), 0));
  const auto mapped = [&](ValueId id) { return top_map_[size_t(id.index)]; };
  for (const ValueId id : graph_.inputs) program_.inputs.push_back(mapped(id));
  for (const ValueId id : graph_.outputs) program_.outputs.push_back(mapped(id));
  program_.batch = options_.batch.value_or(1);
  if (!program_.inputs.empty() && program_.value(program_.inputs[0]).type->shape.rank() > 0)
    program_.batch = program_.value(program_.inputs[0]).type->shape[0];
  convert_formats();
  PLIM_TRY(add_costs());
  return std::move(program_);
}

}  // namespace

Result<Program> bind(const Graph& graph, const BindOptions& options) { return Binder(graph, options).run(); }

}  // namespace plimsoll
