// scan: runs a subgraph once for each entry of its sequences. bind() understands it.
#include "model/ir/op.h"

namespace plimsoll {

const Op& scan_op() {
  static const Op op{.name = "scan", .onnx = {"Scan"}, .control = Control::scan};
  return op;
}

}  // namespace plimsoll
