// sequence_insert: a sequence with one tensor more. Resolved while binding (model/ir/bind_sequence.cpp).
#include "model/ir/op.h"

namespace plimsoll {

const Op& sequence_insert_op() {
  static const Op op{.name = "sequence_insert", .onnx = {"SequenceInsert"}, .control = Control::sequence};
  return op;
}

}  // namespace plimsoll
