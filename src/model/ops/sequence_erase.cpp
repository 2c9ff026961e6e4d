// sequence_erase: a sequence with one tensor less. Resolved while binding (model/ir/bind_sequence.cpp).
#include "model/ir/op.h"

namespace plimsoll {

const Op& sequence_erase_op() {
  static const Op op{.name = "sequence_erase", .onnx = {"SequenceErase"}, .control = Control::sequence};
  return op;
}

}  // namespace plimsoll
