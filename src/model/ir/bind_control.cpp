#include <fmt/format.h>

#include "base/text.h"
#include "model/ir/binder.h"

namespace plimsoll {
namespace {

constexpr int64_t kMostRounds = int64_t{1} << 31;  // a loop that may run longer has no bound worth the name

// The axis that entry i of a list names, the first where there is no list.
Result<int> axis_at(const Attributes& attributes, std::string_view list, size_t i, int rank) {
  const auto axes = attributes.integers(list);
  return normalise_axis(i < axes.size() ? axes[i] : 0, rank);
}

}  // namespace

Result<ValueId> output_of(const Graph& graph, const ValueMap& map, size_t i) {
  const ValueId id = graph.outputs[i];
  if (!id.present() || !map.at(size_t(id.index)).present())
    return user_error(fmt::format("output {} of subgraph {} is never produced", i, in_quotes(graph.name)));
  return map[size_t(id.index)];
}

std::optional<bool> bool_of(const Tensor* tensor) {
  if (!tensor || tensor->type.dtype != DType::boolean || tensor->size() != 1) return std::nullopt;
  return *tensor->as<bool>();
}

Result<ValueMap> Binder::bind_body(const Graph& body, const std::vector<ValueId>& arguments, Count repeat, int depth) {
  if (body.inputs.size() != arguments.size())
    return user_error(fmt::format("subgraph {} takes {} inputs, {} are given", in_quotes(body.name), body.inputs.size(),
                                  arguments.size()));
  PLIM_ASSIGN(ValueMap map, declare(body));
  for (size_t i = 0; i < arguments.size(); ++i) map.at(size_t(body.inputs[i].index)) = arguments[i];
  PLIM_TRY(bind_nodes({body, map, repeat, depth + 1, 0, {}}));
  return map;
}

Result<Binder::Branch> Binder::bind_one_branch(const Graph& graph, const std::vector<ValueId>& captures, bool known,
                                               const Place& place) {
  Branch branch{&graph, {}, program_.operations.size(), 0, {}};
  PLIM_ASSIGN(branch.map, bind_body(graph, captures, place.repeat, place.depth));
  branch.last = program_.operations.size();
  for (size_t i = branch.first; i < branch.last; ++i) {
    Operation& operation = program_.operations[i];
    if (!known && operation.certainty == Certainty::exact) operation.certainty = Certainty::at_most;
    if (operation.op && operation.op->cost && operation.certainty != Certainty::unknown)
      branch.flops += operation.op->cost(complete_call(operation)).flops * operation.repeat;
  }
  return branch;
}

// What a branch that is not taken costs is known to be less, but for its unknown operations: these stay, without inputs
// and outputs, so that nobody takes the sum for all there is.
void Binder::drop_branch(const Branch& branch) {
  std::vector<Operation> unknown;
  for (size_t i = branch.first; i < branch.last; ++i) {
    Operation& operation = program_.operations[i];
    if (operation.op) continue;
    operation.inputs.clear();
    operation.outputs.clear();
    unknown.push_back(std::move(operation));
  }
  const auto first = program_.operations.begin() + int64_t(branch.first);
  const auto at = program_.operations.erase(first, program_.operations.begin() + int64_t(branch.last));
  program_.operations.insert(at, std::make_move_iterator(unknown.begin()), std::make_move_iterator(unknown.end()));
}

// If: the branch that is taken where the condition is known, the costlier one where it is not.
Status Binder::bind_branch(const Node& node, const Operation& call, const Place& place) {
  const auto then_branch = node.attributes.graph("then_branch");
  const auto else_branch = node.attributes.graph("else_branch");
  if (!then_branch || !else_branch || call.inputs.empty() || !call.inputs[0].present())
    return user_error("needs a condition, a then_branch and an else_branch");
  const std::vector<ValueId> captures(call.inputs.begin() + 1, call.inputs.end());
  // A condition on a size that is only known as the largest it can be tells nothing.
  const auto condition = bounded_.count(call.inputs[0]) ? std::nullopt : bool_of(constant_of(call.inputs[0]));

  Branch taken;
  if (condition) {
    PLIM_ASSIGN(taken, bind_one_branch(*condition ? *then_branch : *else_branch, captures, true, place));
  } else {
    PLIM_ASSIGN(taken, bind_one_branch(*then_branch, captures, false, place));
    PLIM_ASSIGN(Branch other, bind_one_branch(*else_branch, captures, false, place));
    if (other.flops > taken.flops) std::swap(taken, other);
    drop_branch(other);
  }
  if (taken.graph->outputs.size() < node.outputs.size())
    return user_error(
        fmt::format("{} outputs are asked for, the branch has {}", node.outputs.size(), taken.graph->outputs.size()));
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!node.outputs[i].present()) continue;
    PLIM_ASSIGN(ValueId inner, output_of(*taken.graph, taken.map, i));
    if (!condition) {
      // What this branch holds is not what the network always computes.
      const ProgramValue from = program_.value(inner);
      const bool captured = std::find(captures.begin(), captures.end(), inner) != captures.end();
      if (captured || from.constant || from.role != Role::activation)
        inner = add({from.name, Role::activation, from.type, nullptr});
      bounded_.insert(inner);
    }
    if (!value(inner).type) value(inner).type = hint(place.graph, node.outputs[i]);
    place.map[size_t(node.outputs[i].index)] = inner;
  }
  return {};
}

Result<Binder::LoopLayout> Binder::loop_layout(const Node& node, const Operation& call) const {
  const bool loop = node.op->control == Control::loop;
  const size_t head = loop ? 2 : 0, count = call.inputs.size();
  const int64_t captures = node.attributes.integer("captures", 0);
  const int64_t sequences = loop ? 0 : node.attributes.integer("num_scan_inputs", 0);
  if (captures < 0 || sequences < 0 || captures > int64_t(count) || sequences > int64_t(count) ||
      head + size_t(captures) + size_t(sequences) > count)
    return user_error(fmt::format("has {} inputs, fewer than its body needs", count));
  const size_t carried = count - head - size_t(captures) - size_t(sequences);
  return LoopLayout{head, carried, size_t(sequences), size_t(captures)};
}

// The number of rounds, or the most there can be; nullopt when that is not known either.
Result<std::optional<int64_t>> Binder::loop_rounds(const Node& node, const Operation& call,
                                                   const LoopLayout& layout) const {
  std::optional<int64_t> rounds;
  if (!layout.is_scan()) {
    const Tensor* limit = constant_of(call.inputs[0]);
    if (limit && limit->size() == 1 && !limit->integers().empty()) rounds = std::max<int64_t>(0, limit->integers()[0]);
    if (bool_of(constant_of(call.inputs[1])) == false) rounds = 0;
  }
  for (size_t i = 0; i < layout.sequences; ++i) {
    const ValueId id = call.inputs[layout.head + layout.carried + i];
    if (!id.present() || !program_.value(id).type) continue;
    const Shape& shape = program_.value(id).type->shape;
    PLIM_ASSIGN(const int axis, axis_at(node.attributes, "scan_input_axes", i, shape.rank()));
    if (rounds && *rounds != shape[axis])
      return user_error(
          fmt::format("sequence {} of shape {} has {} steps, the first one {}", i, shape.text(), shape[axis], *rounds));
    rounds = shape[axis];
  }
  if (rounds && *rounds > kMostRounds) rounds = std::nullopt;
  return rounds;
}

// What the body reads. Carried values and the steps of sequences differ from round to round.
std::vector<ValueId> Binder::loop_arguments(const Node& node, const Operation& call, const LoopLayout& layout) {
  std::vector<ValueId> arguments;
  if (!layout.is_scan()) {
    auto yes = std::make_shared<Tensor>(TensorType{DType::boolean, {}});
    *yes->as<bool>() = true;  // a round is only run while the condition holds
    arguments.push_back(add({"round", Role::activation, TensorType{DType::i64, {}}, nullptr}));
    arguments.push_back(add({"condition", Role::constant, yes->type, yes}));
  }
  for (size_t i = layout.head; i < call.inputs.size(); ++i) {
    const ValueId id = call.inputs[i];
    const size_t place = i - layout.head;
    if (!id.present() || place >= layout.carried + layout.sequences) {
      arguments.push_back(id);
      continue;
    }
    ProgramValue step{program_.value(id).name, Role::activation, program_.value(id).type, nullptr};
    if (place >= layout.carried && step.type) {
      std::vector<int64_t> dims = step.type->shape.dims();
      const auto axis = axis_at(node.attributes, "scan_input_axes", place - layout.carried, step.type->shape.rank());
      dims.erase(dims.begin() + *axis);
      step.type->shape = Shape(std::move(dims));
    }
    const bool bounded = bounded_.count(id) > 0;
    arguments.push_back(add(std::move(step)));
    if (bounded) bounded_.insert(arguments.back());
  }
  return arguments;
}

// The condition is true before the first round and after each.
bool Binder::never_ends_early(const Operation& call, const LoopLayout& layout, ValueId condition) const {
  if (layout.is_scan()) return true;
  const bool starts = !call.inputs[1].present() || bool_of(constant_of(call.inputs[1])).has_value();
  return starts && !bounded_.count(call.inputs[0]) && bool_of(constant_of(condition)) == true;
}

Status Binder::bind_loop_outputs(const Node& node, const Graph& body, const ValueMap& inner, const LoopLayout& layout,
                                 std::optional<int64_t> rounds, const Place& place) {
  const size_t body_head = layout.is_scan() ? 0 : 1;  // Loop's body answers with its condition first
  if (body.outputs.size() < body_head + node.outputs.size())
    return user_error(fmt::format("{} outputs are asked for, the body has {}", node.outputs.size(),
                                  body.outputs.size() - std::min(body.outputs.size(), body_head)));
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!node.outputs[i].present()) continue;
    PLIM_ASSIGN(const ValueId from, output_of(body, inner, body_head + i));
    ProgramValue result{place.graph.value(node.outputs[i]).name, Role::activation, program_.value(from).type, nullptr};
    if (i >= layout.carried && result.type) {  // collected from every round
      std::vector<int64_t> dims = result.type->shape.dims();
      PLIM_ASSIGN(const int axis,
                  axis_at(node.attributes, "scan_output_axes", i - layout.carried, int(dims.size()) + 1));
      dims.insert(dims.begin() + axis, rounds.value_or(0));
      result.type->shape = Shape(std::move(dims));
      if (!rounds || !check_type(*result.type).ok()) result.type = std::nullopt;
    }
    if (!result.type) result.type = hint(place.graph, node.outputs[i]);
    const ValueId id = add(std::move(result));
    place.map[size_t(node.outputs[i].index)] = id;
    if (!layout.is_scan() || bounded_.count(from)) bounded_.insert(id);
  }
  return {};
}

// Loop and Scan: the body once, its cost times the rounds where those are known. Loop reads (rounds,
// condition, carried …), Scan (carried …, sequences …); both then read what the body captures.
Status Binder::bind_loop(const Node& node, const Operation& call, const Place& place) {
  const auto body = node.attributes.graph("body");
  if (!body) return user_error("has no body");
  PLIM_ASSIGN(const LoopLayout layout, loop_layout(node, call));
  PLIM_ASSIGN(const std::optional<int64_t> rounds, loop_rounds(node, call, layout));
  if (rounds) {
    PLIM_ASSIGN(const bool unrolled, unroll(node, call, layout, *rounds, place));
    if (unrolled) return {};
  }
  const size_t first = program_.operations.size();
  const auto arguments = loop_arguments(node, call, layout);
  PLIM_ASSIGN(const ValueMap inner, bind_body(*body, arguments, place.repeat * rounds.value_or(1), place.depth));
  ValueId condition;
  if (!layout.is_scan() && !body->outputs.empty()) {
    PLIM_ASSIGN(condition, output_of(*body, inner, 0));
  }
  const bool exact = never_ends_early(call, layout, condition);
  for (size_t i = first; i < program_.operations.size(); ++i) {
    Certainty& certainty = program_.operations[i].certainty;
    if (certainty == Certainty::unknown) continue;
    if (!rounds) certainty = Certainty::unbounded;
    else if (!exact && certainty == Certainty::exact) certainty = Certainty::at_most;
  }
  return bind_loop_outputs(node, *body, inner, layout, rounds, place);
}

}  // namespace plimsoll
