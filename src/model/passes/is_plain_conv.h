// A convolution with nothing fused to it yet.
#pragma once

#include "model/ir/program.h"

namespace plimsoll {

inline bool is_plain_conv(const Operation& operation) {
  return operation.op && operation.op->name == "conv" && !operation.then && operation.certainty == Certainty::exact &&
         (operation.inputs.size() < 4 || !operation.inputs[3].present()) && !operation.attributes.has("activation");
}

}  // namespace plimsoll
