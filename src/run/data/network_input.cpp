#include "run/data/network_input.h"

#include <fmt/format.h>

#include <algorithm>

namespace plimsoll {
namespace {

// The rows of the table, if the operation looks the input's tokens up in one.
std::optional<int64_t> table_rows(const Program& program, const Operation& operation, ValueId tokens) {
  if (!operation.op || operation.op->name != "gather" || operation.inputs.size() != 2) return {};
  const ProgramValue& table = program.value(operation.inputs[0]);
  if (!(operation.inputs[1] == tokens) || !table.type || table.type->shape.rank() < 1) return {};
  return table.type->shape[0];
}

// What sees the tokens that it is to say learns nothing from being asked for them.
Status check_writes(const Program& forward) {
  const bool looks_ahead = std::any_of(forward.operations.begin(), forward.operations.end(), [](const auto& operation) {
    return operation.op && operation.op->name == "grouped_attention" &&
           operation.attributes.integer("is_causal", 0) == 0;
  });
  if (looks_ahead || forward.inputs.size() > 1)
    return user_error("the network cannot continue a text: its attention sees the tokens that follow",
                      "a decoder does, such as gpt-10m");
  return {};
}

}  // namespace

bool is_language_model(const TensorType& input, const TensorType& output) {
  const Shape &tokens = input.shape, &scores = output.shape;
  return input.dtype == DType::i64 && tokens.rank() == 2 && scores.rank() == 3 && scores[0] == tokens[0] &&
         scores[1] == tokens[1];
}

Result<NetworkInput> network_input(const Program& forward) {
  if (forward.inputs.empty() || forward.outputs.empty()) return user_error("the network has no input or no output");
  const ProgramValue &input = forward.value(forward.inputs[0]), &output = forward.value(forward.outputs[0]);
  for (const ProgramValue* value : {&input, &output})
    if (!value->type || value->type->shape.rank() < 1 || value->type->shape[0] != forward.batch)
      return user_error(fmt::format("value '{}' is {}, expected a batch axis of {} first", value->name,
                                    value->type ? value->type->shape.text() : "of unknown size", forward.batch));
  NetworkInput wanted;
  const auto& dims = input.type->shape.dims();
  wanted.sample = {input.type->dtype, Shape(std::vector<int64_t>(dims.begin() + 1, dims.end()))};
  wanted.next_token = is_language_model(*input.type, *output.type);
  if (output.type->shape.rank() != 2 && !wanted.next_token)
    return user_error(
        fmt::format("the network's output is {}, expected one score for each class", output.type->shape.text()));
  if (wanted.next_token) PLIM_TRY(check_writes(forward));
  wanted.classes = output.type->shape[output.type->shape.rank() - 1];
  for (const auto& operation : forward.operations)
    if (const auto rows = table_rows(forward, operation, forward.inputs[0])) wanted.vocabulary = *rows;
  return wanted;
}

}  // namespace plimsoll
