// qlinear_sigmoid: the sigmoid of quantised numbers, looked up in a table of all of them. Cost: none.
#include "model/ops/qlinear.h"

namespace plimsoll {

const Op& qlinear_sigmoid_op() {
  static const Op op = qlinear_unary("qlinear_sigmoid", "com.microsoft:QLinearSigmoid", nullptr);
  return op;
}

}  // namespace plimsoll
