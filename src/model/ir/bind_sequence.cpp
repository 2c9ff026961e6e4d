#include <fmt/format.h>

#include "base/text.h"
#include "model/ir/binder.h"

namespace plimsoll {
namespace {

// The place in a sequence that input i names; `fallback` where it is absent. nullopt: only a run can tell.
std::optional<int64_t> position(const Tensor* given, bool absent, int64_t count, int64_t fallback) {
  if (absent) return fallback;
  if (!given || given->size() != 1 || given->integers().empty()) return std::nullopt;
  const int64_t at = given->integers()[0];
  return at < 0 ? at + count : at;
}

}  // namespace

// Sequences exist only here: they are lists of the program's values, resolved while binding. So
// SequenceAt is the element itself, and nothing of a sequence is left in the Program.
Status Binder::bind_sequence(const Node& node, Operation call, const Place& place) {
  const std::string_view op = node.op->name;
  const auto input = [&](size_t i) { return i < call.inputs.size() ? call.inputs[i] : ValueId{}; };
  if (op == "sequence_empty") return set_sequence(node, place, {});
  if (op == "sequence_construct") return set_sequence(node, place, call.inputs);
  if (op == "split_to_sequence") return bind_split_to_sequence(node, std::move(call), place);
  const auto known = sequences_.find(input(0));
  if (known == sequences_.end()) return bind_unknown_sequence(node, std::move(call), place);
  const auto count = int64_t(known->second.size());
  if (op == "sequence_length") {
    if (!node.outputs.empty() && node.outputs[0].present())
      place.map[size_t(node.outputs[0].index)] = add_constant("length", integer_scalar(count));
    return {};
  }
  if (op == "concat_from_sequence") return bind_concat_from_sequence(node, std::move(call), known->second, place);
  const size_t where = op == "sequence_insert" ? 2 : 1;
  const auto at =
      position(constant_of(input(where)), !input(where).present(), count, op == "sequence_insert" ? count : count - 1);
  if (!at) return bind_unknown_sequence(node, std::move(call), place);
  const int64_t last = op == "sequence_insert" ? count : count - 1;
  if (last < 0) return user_error("an empty sequence has nothing to take");
  if (*at < 0 || *at > last) return user_error(fmt::format("position {} is outside a sequence of {}", *at, count));
  if (op == "sequence_at") {
    if (!node.outputs.empty() && node.outputs[0].present())
      place.map[size_t(node.outputs[0].index)] = known->second[size_t(*at)];
    return {};
  }
  PLIM_TRY(charge_sequence(count));
  std::vector<ValueId> items = known->second;
  if (op == "sequence_erase") items.erase(items.begin() + *at);
  else items.insert(items.begin() + *at, input(1));
  return set_sequence(node, place, std::move(items));
}

Status Binder::charge_sequence(int64_t items) {
  sequence_budget_ -= items;
  if (sequence_budget_ < 0) return user_error("sequences are copied too often to follow");
  return {};
}

Status Binder::set_sequence(const Node& node, const Place& place, std::vector<ValueId> items) {
  if (node.outputs.empty() || !node.outputs[0].present()) return {};
  PLIM_TRY(charge_sequence(int64_t(items.size()) + 1));
  const ValueId id = add({place.graph.value(node.outputs[0]).name, Role::activation, std::nullopt, nullptr});
  place.map[size_t(node.outputs[0].index)] = id;
  sequences_[id] = std::move(items);
  return {};
}

// Its contents depend on the run: the operation is listed, and nothing is counted.
Status Binder::bind_unknown_sequence(const Node& node, Operation call, const Place& place) {
  for (const ValueId output : node.outputs) {
    call.outputs.push_back(
        output.present() ? add({place.graph.value(output).name, Role::activation, hint(place.graph, output), nullptr})
                         : ValueId{});
    if (output.present()) place.map[size_t(output.index)] = call.outputs.back();
  }
  call.certainty = Certainty::unknown;
  program_.operations.push_back(std::move(call));
  return {};
}

// The tensors of a sequence along an axis they have, or along a new one.
Status Binder::bind_concat_from_sequence(const Node& node, Operation call, const std::vector<ValueId>& items,
                                         const Place& place) {
  PLIM_TRY(charge_sequence(int64_t(items.size())));
  std::optional<TensorType> type;
  const bool new_axis = node.attributes.integer("new_axis", 0) != 0;
  for (const ValueId id : items) {
    if (!id.present() || !value(id).type) return bind_unknown_sequence(node, std::move(call), place);
    const TensorType& item = *value(id).type;
    if (!type) {
      type = item;
      PLIM_ASSIGN(const int axis, normalise_axis(node.attributes.integer("axis", 0), item.shape.rank() + new_axis));
      std::vector<int64_t> dims = item.shape.dims();
      if (new_axis) dims.insert(dims.begin() + axis, int64_t(items.size()));
      type->shape = Shape(std::move(dims));
    } else if (!new_axis) {
      PLIM_ASSIGN(const int axis, normalise_axis(node.attributes.integer("axis", 0), item.shape.rank()));
      if (axis >= type->shape.rank()) return user_error("the sequence's tensors are of different ranks");
      if (__builtin_add_overflow(type->shape[axis], item.shape[axis], &type->shape[axis]))
        return user_error("the tensors together are more than a 64-bit count holds (overflow)");
    }
  }
  if (!type) return user_error("the sequence is empty");
  PLIM_TRY(check_type(*type));
  if (node.outputs.empty() || !node.outputs[0].present()) return {};
  call.inputs = items;
  call.outputs = {add({place.graph.value(node.outputs[0]).name, Role::activation, *type, nullptr})};
  place.map[size_t(node.outputs[0].index)] = call.outputs[0];
  program_.operations.push_back(std::move(call));
  return {};
}

// A tensor cut along an axis: into parts of a size, of the sizes of a list, or one by one.
Status Binder::bind_split_to_sequence(const Node& node, Operation call, const Place& place) {
  const bool typed = !call.inputs.empty() && call.inputs[0].present() && value(call.inputs[0]).type;
  const bool sized = call.inputs.size() > 1 && call.inputs[1].present();
  const Tensor* sizes = sized ? constant_of(call.inputs[1]) : nullptr;
  if (!typed || (sized && !sizes)) return bind_unknown_sequence(node, std::move(call), place);
  const TensorType from = *value(call.inputs[0]).type;
  PLIM_ASSIGN(const int axis, normalise_axis(node.attributes.integer("axis", 0), from.shape.rank()));
  std::vector<int64_t> parts = sized ? sizes->integers() : std::vector<int64_t>{1};
  if (parts.size() == 1 && (!sized || sizes->type.shape.rank() == 0)) {
    const int64_t part = parts[0];
    if (part < 1 || from.shape[axis] / part > unroll_budget_)
      return bind_unknown_sequence(node, std::move(call), place);
    parts.assign(size_t(from.shape[axis] / part), part);
    if (from.shape[axis] % part != 0) parts.push_back(from.shape[axis] % part);
  }
  const bool drop = !sized && node.attributes.integer("keepdims", 1) == 0;
  std::vector<ValueId> items;
  for (const int64_t part : parts) {
    if (part < 0 || part > from.shape[axis])
      return user_error(fmt::format("a part of {} does not fit axis {} of {}", part, axis, from.shape.text()));
    TensorType type = from;
    std::vector<int64_t> dims = from.shape.dims();
    dims[size_t(axis)] = part;
    if (drop) dims.erase(dims.begin() + axis);
    type.shape = Shape(std::move(dims));
    items.push_back(add({node.name, Role::activation, type, nullptr}));
  }
  call.outputs = items;
  program_.operations.push_back(std::move(call));
  return set_sequence(node, place, std::move(items));
}

}  // namespace plimsoll
