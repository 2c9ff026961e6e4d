// sequence_length: how many tensors a sequence has. Resolved while binding (model/ir/bind_sequence.cpp).
#include "model/ir/op.h"

namespace plimsoll {

const Op& sequence_length_op() {
  static const Op op{.name = "sequence_length", .onnx = {"SequenceLength"}, .control = Control::sequence};
  return op;
}

}  // namespace plimsoll
