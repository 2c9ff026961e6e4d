// concat_from_sequence: the tensors of a sequence side by side. Resolved while binding (model/ir/bind_sequence.cpp).
#include "model/ir/op.h"

namespace plimsoll {

const Op& concat_from_sequence_op() {
  static const Op op{.name = "concat_from_sequence", .onnx = {"ConcatFromSequence"}, .control = Control::sequence};
  return op;
}

}  // namespace plimsoll
