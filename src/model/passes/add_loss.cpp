#include "model/passes/add_loss.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/ir/backward.h"
#include "model/ir/program_lookup.h"
#include "model/ops/all_ops.h"

namespace plimsoll {
namespace {

constexpr LossName kLosses[] = {{"automatic", Loss::automatic},
                                {"softmax-cross-entropy", Loss::softmax_cross_entropy},
                                {"binary-cross-entropy", Loss::binary_cross_entropy},
                                {"mean-squared-error", Loss::mean_squared_error}};

// What the numbers of a value say about classes.
ClassScores scores_of(const Program& program, ValueId id) {
  const Operation* producer = producer_of(program, id);
  return producer && producer->op ? producer->op->scores : ClassScores::any;
}

Loss chosen(const Program& program, ValueId output) {
  const Shape& shape = program.value(output).type->shape;
  if (scores_of(program, output) == ClassScores::probability) return Loss::binary_cross_entropy;
  if (shape.rank() < 2) return Loss::mean_squared_error;
  return shape.rank() == 2 && shape[1] == 1 ? Loss::binary_cross_entropy : Loss::softmax_cross_entropy;
}

Result<std::vector<ValueId>> add_operation(Program& program, std::string_view op, std::vector<ValueId> inputs,
                                           Attributes attributes, size_t outputs) {
  Operation operation;
  operation.op = &op_named(op);
  operation.op_name = op;
  operation.name = "loss";
  operation.inputs = std::move(inputs);
  operation.attributes = std::move(attributes);
  operation.phase = Phase::loss;
  return append(program, std::move(operation), outputs);
}

ValueId add_targets(Program& program, TensorType type) {
  const ValueId id = program.add({"targets", Role::input, std::move(type), nullptr});
  program.inputs.push_back(id);
  return id;
}

// Classes are the last axis of (batch, steps, classes) and axis 1 of everything else.
Status add_cross_entropy(Program& program, ValueId scores, double label_smoothing) {
  const ClassScores given = scores_of(program, scores);
  if (given == ClassScores::probabilities || given == ClassScores::log_probabilities)
    scores = program.outputs[0] = producer_of(program, scores)->inputs[0];
  Shape shape = program.value(scores).type->shape;
  if (shape.rank() < 2) return user_error(fmt::format("scores of the shape {} have no axis of classes", shape.text()));
  if (shape.rank() == 3) {
    const std::vector<int64_t> rows{shape[0] * shape[1], shape[2]};
    PLIM_ASSIGN(const auto flat, add_operation(program, "reshape", {scores}, {{"shape", rows}}, 1));
    scores = flat[0];
    shape = Shape(rows);
  }
  std::vector<int64_t> labels(shape.begin(), shape.end());
  labels.erase(labels.begin() + 1);
  const ValueId targets = add_targets(program, {DType::i64, Shape(std::move(labels))});
  Attributes settings;
  if (label_smoothing > 0) settings.set("label_smoothing", label_smoothing);
  PLIM_ASSIGN(const auto outputs, add_operation(program, "softmax_cross_entropy", {scores, targets}, settings, 2));
  program.loss = outputs[0];
  return {};
}

Status add_elementwise_loss(Program& program, std::string_view op, ValueId output) {
  const TensorType type = *program.value(output).type;
  PLIM_ASSIGN(const auto outputs, add_operation(program, op, {output, add_targets(program, type)}, {}, 1));
  program.loss = outputs[0];
  return {};
}

// An output whose type is not known, because an operation before it is not.
Error no_loss_at(const Program& program, const ProgramValue& output) {
  const std::string what =
      fmt::format("the output {} is not of numbers that a loss can be computed from", in_quotes(output.name));
  const auto unknown = std::find_if(program.operations.begin(), program.operations.end(),
                                    [](const Operation& operation) { return !operation.op; });
  if (output.type || unknown == program.operations.end()) return user_error(what);
  return user_error(fmt::format("the operation {} is not known, so no training step can be made: its gradient and what "
                                "follows it, up to the output {}, cannot be planned",
                                in_quotes(unknown->op_name), in_quotes(output.name)),
                    "planned for inference, all that is known is counted, as a lower bound");
}

}  // namespace

std::span<const LossName> all_losses() { return kLosses; }

Status add_loss(Program& program, Loss loss, double label_smoothing) {
  if (program.outputs.empty()) return user_error("the network has no output, so there is nothing to train it by");
  const ValueId output = program.outputs[0];
  const ProgramValue& value = program.value(output);
  if (!value.type || !is_floating(value.type->dtype) || value.type->elements() == Count(0))
    return no_loss_at(program, value);
  if (program.outputs.size() > 1)
    program.notes.push_back(fmt::format("the loss is that of the first of {} outputs", program.outputs.size()));
  if (loss == Loss::automatic) loss = chosen(program, output);
  if (loss == Loss::softmax_cross_entropy) return add_cross_entropy(program, output, label_smoothing);
  if (loss == Loss::mean_squared_error) return add_elementwise_loss(program, "mse_loss", output);
  const bool probability = scores_of(program, output) == ClassScores::probability;
  return add_elementwise_loss(program, probability ? "binary_cross_entropy" : "binary_cross_entropy_with_logits",
                              output);
}

}  // namespace plimsoll
