#include "model/passes/inference_form.h"

#include "model/ops/dropout_training.h"

namespace plimsoll {

void inference_form(Program& program) {
  for (auto& operation : program.operations)
    if (operation.op && operation.op->training == dropout_train) operation.inputs.resize(1);  // no ratio, no mode
}

}  // namespace plimsoll
