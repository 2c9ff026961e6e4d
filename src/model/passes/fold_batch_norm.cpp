#include "model/passes/fold_batch_norm.h"

#include "model/ops/conv_norm.h"

namespace plimsoll {
namespace {

bool is_plain_conv(const Operation& operation) {
  return operation.op && operation.op->name == "conv" && !operation.then && operation.certainty == Certainty::exact &&
         (operation.inputs.size() < 4 || !operation.inputs[3].present()) && !operation.attributes.has("activation");
}

bool uses_stored_statistics(const Operation& operation) {
  if (!operation.op || operation.op->name != "batch_norm" || operation.inputs.size() != 5 || operation.then)
    return false;
  for (size_t i = 1; i < operation.outputs.size(); ++i)
    if (operation.outputs[i].present()) return false;
  return operation.attributes.integer("training_mode", 0) == 0 && operation.attributes.integer("spatial", 1) != 0;
}

void fold(Operation& conv, const Operation& norm) {
  conv.op = &conv_norm();
  conv.op_name = conv.op->name;
  conv.inputs.resize(3);
  conv.inputs.insert(conv.inputs.end(), norm.inputs.begin() + 1, norm.inputs.end());
  conv.attributes.set("epsilon", norm.attributes.number("epsilon", 1e-5));
  conv.outputs = {norm.outputs[0]};
}

}  // namespace

int64_t fold_batch_norm(Program& program) {
  std::vector<int> reads(program.values.size(), 0);
  std::vector<Operation*> producer(program.values.size(), nullptr);
  for (auto& operation : program.operations) {
    for (const ValueId id : operation.inputs)
      if (id.present()) ++reads[size_t(id.index)];
    if (is_plain_conv(operation)) producer[size_t(operation.outputs[0].index)] = &operation;
  }
  for (const ValueId id : program.outputs) ++reads[size_t(id.index)];
  std::vector<Operation> left;
  int64_t folded = 0;
  std::vector<bool> gone(program.operations.size(), false);
  for (size_t i = 0; i < program.operations.size(); ++i) {
    const Operation& norm = program.operations[i];
    if (!uses_stored_statistics(norm)) continue;
    Operation* conv = producer[size_t(norm.inputs[0].index)];
    if (!conv || reads[size_t(norm.inputs[0].index)] != 1 || conv->repeat != norm.repeat) continue;
    fold(*conv, norm);
    gone[i] = true;
    ++folded;
  }
  for (size_t i = 0; i < gone.size(); ++i)
    if (!gone[i]) left.push_back(std::move(program.operations[i]));
  program.operations = std::move(left);
  return folded;
}

}  // namespace plimsoll
