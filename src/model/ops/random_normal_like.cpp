// random_normal_like: as many normal random numbers as the input has.
#include "model/ops/random.h"

namespace plimsoll {

const Op& random_normal_like_op() {
  static const Op op = random_like_op("random_normal_like", "RandomNormalLike");
  return op;
}

}  // namespace plimsoll
