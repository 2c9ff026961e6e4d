// sequence_at: one tensor of a sequence. Resolved while binding (model/ir/bind_sequence.cpp).
#include "model/ir/op.h"

namespace plimsoll {

const Op& sequence_at_op() {
  static const Op op{.name = "sequence_at", .onnx = {"SequenceAt"}, .control = Control::sequence};
  return op;
}

}  // namespace plimsoll
