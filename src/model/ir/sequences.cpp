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
  using Step = std::optional<SequenceStep>;
  const std::string_view name = operation.op_name;
  const auto gives = [](std::vector<ValueId> items) { return Step{{.items = std::move(items)}}; };
  if (name == "SequenceEmpty") return gives({});
  for (size_t i = 0; i < *required_inputs(name); ++i)
    if (i >= operation.inputs.size() || !operation.inputs[i].present())
      return user_error(fmt::format("input {} is missing", i));
  if (name == "SequenceConstruct") return gives(operation.inputs);

  const std::vector<ValueId>* from = items_of(program, operation.inputs[0]);
  if (!from) return Step();
  const auto length = int64_t(from->size());
  if (name == "SequenceLength") return Step{{.length = length}};
  std::vector<ValueId> items = *from;
  if (name == "SequenceInsert") {  // before the place, or at the end: a place more than there are items
    PLIM_ASSIGN(const auto place, place_in(program, operation, 2, length + 1));
    if (!place) return Step();
    items.insert(items.begin() + *place, operation.inputs[1]);
    return gives(std::move(items));
  }
  PLIM_ASSIGN(const auto place, place_in(program, operation, 1, length));
  if (!place) return Step();
  if (*place < 0) return user_error("takes an item out of an empty sequence");
  if (name == "SequenceAt") return Step{{.tensor = items[size_t(*place)]}};
  items.erase(items.begin() + *place);
  return gives(std::move(items));
}

}  // namespace plimsoll
