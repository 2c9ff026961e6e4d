// if: runs one of two subgraphs. bind() understands it.
#include "model/ir/op.h"

namespace plimsoll {

const Op& branch_op() {
  static const Op op{.name = "if", .onnx = {"If"}, .control = Control::branch};
  return op;
}

}  // namespace plimsoll
