// random_uniform: numbers drawn evenly between low and high.
#include "model/ops/random.h"

namespace plimsoll {

const Op& random_uniform_op() {
  static const Op op = random_op("random_uniform", "RandomUniform");
  return op;
}

}  // namespace plimsoll
