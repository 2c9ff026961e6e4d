#include "model/ir/binder.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostUnrolled = 64;  // rounds of a loop that fills a list; longer ones are bound once and multiplied

// What is stored inside a body must not count once a round.
bool stores_nothing(const Graph& body) {
  return std::none_of(body.values.begin(), body.values.end(),
                      [](const Value& value) { return value.role == Role::parameter || value.role == Role::buffer; });
}

// With those of the subgraphs inside. The recursion is as deep as the file's nesting, which the importer limits.
int64_t nodes_within(const Graph& graph) {
  auto count = int64_t(graph.nodes.size());
  for (const auto& node : graph.nodes)
    for (const char* name : {"body", "then_branch", "else_branch"})
      if (const auto inner = node.attributes.graph(name)) count += nodes_within(*inner);
  return count;
}

Tensor truth_tensor(bool value) {
  Tensor tensor({DType::boolean, {}});
  *tensor.as<bool>() = value;
  return tensor;
}

}  // namespace

// Exporters write the splitting of a tensor as a loop that fills a list. Written out, the round's number
// is a constant, so that slices by it have sizes, and the list's items are known. Other loops stay one
// body that repeats, unless they are asked for round by round.
Result<bool> Binder::unroll(const Node& node, const Operation& call, const LoopLayout& layout, int64_t rounds,
                            const Place& place) {
  const Graph& body = *node.attributes.graph("body");
  if (layout.is_scan()) return false;
  const bool starts = !call.inputs[1].present() || bool_of(constant_of(call.inputs[1])) == true;
  const bool fills_lists = std::any_of(call.inputs.begin() + 2, call.inputs.begin() + 2 + int64_t(layout.carried),
                                       [&](ValueId id) { return sequences_.count(id) > 0; });
  const bool written_out = fills_lists ? rounds <= kMostUnrolled : options_.write_out_loops;
  if (!starts || !written_out || rounds > unroll_budget_ ||
      (call.inputs[0].present() && bounded_.count(call.inputs[0])) || body.outputs.size() < 1 + layout.carried ||
      !stores_nothing(body))
    return false;
  const int64_t nodes = (nodes_within(body) + 1) * rounds;
  if (nodes > unroll_budget_) return false;
  unroll_budget_ -= nodes;
  const size_t first = program_.operations.size();
  std::vector<ValueId> carried(call.inputs.begin() + 2, call.inputs.begin() + 2 + int64_t(layout.carried));
  std::vector<std::vector<ValueId>> collected(body.outputs.size() - 1 - layout.carried);  // by output, then by round
  int64_t done = 0;
  for (bool go_on = true; go_on && done < rounds; ++done) {
    std::vector<ValueId> arguments{add_constant("round", integer_scalar(done)),
                                   add_constant("condition", truth_tensor(true))};
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    arguments.insert(arguments.end(), call.inputs.end() - int64_t(layout.captures), call.inputs.end());
    PLIM_ASSIGN(const ValueMap inner, bind_body(body, arguments, place.repeat, place.depth));
    PLIM_ASSIGN(const ValueId condition, output_of(body, inner, 0));
    const auto known = bool_of(constant_of(condition));
    if (!known || bounded_.count(condition)) {  // only a run can tell: take it all back
      program_.operations.resize(first);
      return false;
    }
    go_on = *known;
    for (size_t i = 0; i < layout.carried; ++i) {
      PLIM_ASSIGN(carried[i], output_of(body, inner, 1 + i));
    }
    for (size_t i = 0; i < collected.size(); ++i) {
      PLIM_ASSIGN(const ValueId of_this_round, output_of(body, inner, 1 + layout.carried + i));
      collected[i].push_back(of_this_round);
    }
  }
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!node.outputs[i].present()) continue;
    ValueId& id = place.map[size_t(node.outputs[i].index)];
    if (i < layout.carried) id = carried[i];
    else if (i - layout.carried < collected.size()) id = add_collected(collected[i - layout.carried], node, i, place);
    else return user_error("asks for more outputs than its body has");
  }
  return true;
}

// What every round of an unrolled loop gave, side by side along a new first axis.
ValueId Binder::add_collected(const std::vector<ValueId>& rounds, const Node& node, size_t output, const Place& place) {
  ProgramValue result{place.graph.value(node.outputs[output]).name, Role::activation, std::nullopt, nullptr};
  if (!rounds.empty() && value(rounds.back()).type) {
    std::vector<int64_t> dims = value(rounds.back()).type->shape.dims();
    dims.insert(dims.begin(), int64_t(rounds.size()));
    const TensorType type{value(rounds.back()).type->dtype, Shape(std::move(dims))};
    if (check_type(type).ok()) result.type = type;
  }
  if (!result.type) result.type = hint(place.graph, node.outputs[output]);
  const ValueId id = add(std::move(result));
  if (!options_.write_out_loops || rounds.empty()) return id;
  Operation operation{node.op, node.op_name, node.name, rounds, {id}, {}, {}, {}, place.repeat, Certainty::exact};
  const auto types = infer(*node.op, call_of(program_, operation));
  if (!types.ok() || value(id).type != (*types)[0]) operation.certainty = Certainty::unknown;
  program_.operations.push_back(std::move(operation));
  return id;
}

ValueId Binder::add_constant(const std::string& name, Tensor tensor) {
  const auto data = std::make_shared<const Tensor>(std::move(tensor));
  return add({name, Role::constant, data->type, data});
}

}  // namespace plimsoll
