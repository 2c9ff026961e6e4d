// split_to_sequence: a tensor cut into a sequence of parts. Resolved while binding (model/ir/bind_sequence.cpp).
#include "model/ir/op.h"

namespace plimsoll {

const Op& split_to_sequence_op() {
  static const Op op{.name = "split_to_sequence", .onnx = {"SplitToSequence"}, .control = Control::sequence};
  return op;
}

}  // namespace plimsoll
