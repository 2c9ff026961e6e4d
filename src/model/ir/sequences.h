// Sequences: ONNX's lists of tensors. Where the graph alone tells what is in one, bind() follows
// it and no operation is left; where it does not, the operation counts as unknown. So these have no
// Op: there is nothing to cost, and they are told by ONNX's names.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

// What an operation on sequences gives: an item taken out, another sequence, or else a length.
struct SequenceStep {
  std::optional<ValueId> tensor;
  std::optional<std::vector<ValueId>> items;
  int64_t length = 0;
  std::optional<ValueId> read_at;  // the value that says which place is meant, where there is one
};

bool is_sequence_operation(std::string_view onnx_name);

// nullopt: what the sequence holds, or which item is meant, is not known before the run.
Result<std::optional<SequenceStep>> follow_sequence(const Program& program, const Operation& operation);

// The items of a sequence, nullptr when they are not known.
const std::vector<ValueId>* items_of(const Program& program, ValueId id);

}  // namespace plimsoll
