#include "model/ops/all_reduce.h"

#include "model/ops/copy.h"
#include "model/ops/elementwise.h"

namespace plimsoll {

const Op& all_reduce() {
  static const Op op{.name = "all_reduce",
                     .kind = OpKind::reduction,
                     .onnx = {},
                     .infer = same_type,
                     .cost = elementwise_cost<1>,
                     .reference = copy_reference};
  return op;
}

}  // namespace plimsoll
