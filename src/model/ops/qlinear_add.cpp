// qlinear_add: the sum of quantised numbers, quantised again. Cost: 7 an element, 6 of them for scales and zero points.
#include "model/ops/qlinear.h"

namespace plimsoll {

const Op& qlinear_add_op() {
  static const Op op = qlinear_binary("qlinear_add", "com.microsoft:QLinearAdd");
  return op;
}

}  // namespace plimsoll
