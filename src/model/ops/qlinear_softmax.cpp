// qlinear_softmax: the softmax of quantised numbers; exponentials come from a table. Cost: 3 an element.
#include "model/ops/elementwise.h"
#include "model/ops/qlinear.h"

namespace plimsoll {

const Op& qlinear_softmax_op() {
  static const Op op = qlinear_unary("qlinear_softmax", "com.microsoft:QLinearSoftmax", elementwise_cost<3>);
  return op;
}

}  // namespace plimsoll
