// sequence_construct: a sequence of the given tensors. Resolved while binding (model/ir/bind_sequence.cpp).
#include "model/ir/op.h"

namespace plimsoll {

const Op& sequence_construct_op() {
  static const Op op{.name = "sequence_construct", .onnx = {"SequenceConstruct"}, .control = Control::sequence};
  return op;
}

}  // namespace plimsoll
