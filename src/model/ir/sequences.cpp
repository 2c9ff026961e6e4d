#include "model/ir/sequences.h"

#include <fmt/format.h>

namespace plimsoll {
namespace {

// The inputs that an operation on sequences needs; nullopt when it is none.
std::optional<size_t> required_inputs(std::string_view onnx_name) {
  if (onnx_name == "SequenceEmpty") return 0;
  if (onnx_name == "SequenceAt" || onnx_name == "SequenceInsert") return 2;
  if (onnx_name == "SequenceConstruct" || onnx_name == "SequenceErase" || onnx_name == "SequenceLength") return 1;
  return std::nullopt;
}

// The place that input i names in a sequence of `length` items; the last one when it is absent.
Result<std::optional<int64_t>> place_in(const Program& program, const Operation& operation, size_t i, int64_t length) {
  if (i >= operation.inputs.size() || !operation.inputs[i].present()) return std::optional(length - 1);
  const Tensor* given = program.value(operation.inputs[i]).constant.get();
  if (!given || given->integers().size() != 1) return std::optional<int64_t>();
  const int64_t place = given->integers()[0];
  if (place < -length || place >= length)
    return user_error(fmt::format("item {} of a sequence of {} is asked for", place, length));
  return std::optional(place < 0 ? place + length : place);
}

}  // namespace

bool is_sequence_operation(std::string_view onnx_name) { return required_inputs(onnx_name).has_value(); }

const std::vector<ValueId>* items_of(const Program& program, ValueId id) {
  return id.present() ? program.value(id).items.get() : nullptr;
}

Result<std::optional<SequenceStep>> follow_sequence(const Program& program, const Operation& operation) {
  const std::string_view name = operation.op_name;
  for (size_t i = 0; i < *required_inputs(name); ++i)
    if (i >= operation.inputs.size() || !operation.inputs[i].present())
      return user_error(fmt::format("input {} is missing", i));
  SequenceStep step;
  if (name == "SequenceEmpty") step.items.emplace();
  if (name == "SequenceConstruct") step.items = operation.inputs;
  if (step.items) return std::optional(step);

  const std::vector<ValueId>* from = items_of(program, operation.inputs[0]);
  if (!from) return std::optional<SequenceStep>();
  step.length = int64_t(from->size());
  if (name == "SequenceLength") return std::optional(step);
  const bool inserts = name == "SequenceInsert";  // before the place, or at the end: one place more than items
  const size_t which = inserts ? 2 : 1;
  PLIM_ASSIGN(const auto place, place_in(program, operation, which, step.length + (inserts ? 1 : 0)));
  if (!place) return std::optional<SequenceStep>();
  if (*place < 0) return user_error("takes an item out of an empty sequence");
  if (which < operation.inputs.size() && operation.inputs[which].present()) step.read_at = operation.inputs[which];
  if (name == "SequenceAt") {
    step.tensor = from->at(size_t(*place));
    return std::optional(step);
  }
  step.items = *from;
  if (inserts) step.items->insert(step.items->begin() + *place, operation.inputs[1]);
  else step.items->erase(step.items->begin() + *place);
  return std::optional(step);
}

}  // namespace plimsoll
