// sequence_empty: a sequence of no tensors. Resolved while binding (model/ir/bind_sequence.cpp).
#include "model/ir/op.h"

namespace plimsoll {

const Op& sequence_empty_op() {
  static const Op op{.name = "sequence_empty", .onnx = {"SequenceEmpty"}, .control = Control::sequence};
  return op;
}

}  // namespace plimsoll
