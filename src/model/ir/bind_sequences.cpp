#include "model/ir/binder.h"
#include "model/ir/sequences.h"

namespace plimsoll {
namespace {

constexpr int64_t kUnrollBudget = 100'000;   // nodes of loop bodies bound round by round, in all
constexpr int64_t kItemBudget = 10'000'000;  // items of all sequences together

}  // namespace

// An operation on a sequence whose items are known leaves nothing behind.
Status Binder::bind_sequence(const Node& node, Operation operation, const Place& place) {
  PLIM_ASSIGN(auto step, follow_sequence(program_, operation));
  if (node.outputs.empty() || !node.outputs[0].present()) return {};
  if (step && step->items) items_ += int64_t(step->items->size());
  const auto which = step ? step->read_at : std::nullopt;  // a place that is only known as the largest tells nothing
  if (items_ > kItemBudget || (which && bounded_.count(*which))) step = std::nullopt;
  ValueId& output = place.map[size_t(node.outputs[0].index)];
  if (step && step->tensor) {
    output = *step->tensor;
    return {};
  }
  ProgramValue result{place.graph.value(node.outputs[0]).name, Role::activation, std::nullopt, nullptr};
  if (step && step->items) {
    result.items = std::make_shared<const std::vector<ValueId>>(std::move(*step->items));
  } else if (step) {
    result.role = Role::constant;
    result.constant = std::make_shared<const Tensor>(integer_scalar(step->length));
    result.type = result.constant->type;
  } else {
    result.type = hint(place.graph, node.outputs[0]);
  }
  output = add(std::move(result));
  if (step) return {};
  operation.outputs = {output};
  operation.certainty = Certainty::unknown;
  program_.operations.push_back(std::move(operation));
  return {};
}

// A loop that fills sequences is bound round by round, so that their items are known.
bool Binder::unrolls(const Graph& body, const Operation& call, const LoopLayout& layout,
                     std::optional<int64_t> rounds) const {
  if (layout.is_scan() || !rounds || bounded_.count(call.inputs[0]) || body.outputs.size() != 1 + layout.carried)
    return false;
  if (call.inputs[1].present() && !constant_of(call.inputs[1])) return false;
  if (*rounds > (kUnrollBudget - unrolled_) / int64_t(body.nodes.size() + 1)) return false;
  for (const auto& stored : body.values)  // it must not count once a round
    if (stored.role == Role::parameter || stored.role == Role::buffer) return false;
  const auto carried = call.inputs.begin() + int64_t(layout.head);
  return std::any_of(carried, carried + int64_t(layout.carried),
                     [&](ValueId id) { return items_of(program_, id) != nullptr; });
}

Status Binder::unroll(const Node& node, const Graph& body, const Operation& call, const LoopLayout& layout,
                      int64_t rounds, const Place& place) {
  std::vector<ValueId> state(call.inputs.begin() + int64_t(layout.head), call.inputs.end());  // carried, then captured
  for (ValueId& id : state)
    if (!id.present()) id = add({});
  bool certain = true;
  for (int64_t round = 0; round < rounds; ++round) {
    unrolled_ += int64_t(body.nodes.size() + 1);
    const auto number = std::make_shared<const Tensor>(integer_scalar(round));
    std::vector<ValueId> arguments = {add({"round", Role::constant, number->type, number}), always()};
    arguments.insert(arguments.end(), state.begin(), state.end());
    const size_t first = program_.operations.size();
    PLIM_ASSIGN(const ValueMap inner, bind_body(body, arguments, place.repeat, place.depth));
    for (size_t i = first; i < program_.operations.size() && !certain; ++i)
      if (program_.operations[i].certainty == Certainty::exact) program_.operations[i].certainty = Certainty::at_most;
    for (size_t i = 0; i < layout.carried; ++i) {
      PLIM_ASSIGN(state[i], output_of(body, inner, i + 1));
    }
    PLIM_ASSIGN(const ValueId condition, output_of(body, inner, 0));
    const auto goes_on = bounded_.count(condition) ? std::nullopt : truth(constant_of(condition));
    if (goes_on == false) break;
    certain = certain && goes_on;
  }
  for (size_t i = 0; i < layout.carried; ++i) {
    const ProgramValue from = program_.value(state[i]);
    // It may have ended earlier, with fewer items or another value.
    if (!certain) state[i] = add({from.name, Role::activation, from.type, nullptr});
    if (!certain) bounded_.insert(state[i]);
    if (i < node.outputs.size() && node.outputs[i].present()) place.map[size_t(node.outputs[i].index)] = state[i];
  }
  return {};
}

}  // namespace plimsoll
