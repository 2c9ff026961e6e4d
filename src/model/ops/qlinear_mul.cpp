// qlinear_mul: the product of quantised numbers, quantised again. Cost: 7 an element, 6 of them for scales and zero
// points.
#include "model/ops/qlinear.h"

namespace plimsoll {

const Op& qlinear_mul_op() {
  static const Op op = qlinear_binary("qlinear_mul", "com.microsoft:QLinearMul");
  return op;
}

}  // namespace plimsoll
