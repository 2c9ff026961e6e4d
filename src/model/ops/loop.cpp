// loop: runs a subgraph for a number of rounds or while a condition holds. bind() understands it.
#include "model/ir/op.h"

namespace plimsoll {

const Op& loop_op() {
  static const Op op{.name = "loop", .onnx = {"Loop"}, .roles = "ccx", .required_inputs = 0, .control = Control::loop};
  return op;
}

}  // namespace plimsoll
