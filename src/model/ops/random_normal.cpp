// random_normal: numbers drawn from a normal distribution.
#include "model/ops/random.h"

namespace plimsoll {

const Op& random_normal_op() {
  static const Op op = random_op("random_normal", "RandomNormal");
  return op;
}

}  // namespace plimsoll
