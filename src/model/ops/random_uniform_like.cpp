// random_uniform_like: as many evenly drawn numbers as the input has.
#include "model/ops/random.h"

namespace plimsoll {

const Op& random_uniform_like_op() {
  static const Op op = random_like_op("random_uniform_like", "RandomUniformLike");
  return op;
}

}  // namespace plimsoll
