// qlinear_leaky_relu: a leaky relu of quantised numbers, looked up in a table of all of them. Cost: none.
#include "model/ops/qlinear.h"

namespace plimsoll {

const Op& qlinear_leaky_relu_op() {
  static const Op op = qlinear_unary("qlinear_leaky_relu", "com.microsoft:QLinearLeakyRelu", nullptr);
  return op;
}

}  // namespace plimsoll
