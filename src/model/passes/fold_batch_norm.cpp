#include "model/passes/fold_batch_norm.h"

#include "model/ops/conv_norm.h"
#include "model/passes/merge_into_producer.h"

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
  return merge_into_producer(program, {is_plain_conv, uses_stored_statistics, fold});
}

}  // namespace plimsoll
