// arg_max: where along an axis the largest number stands; the first of equals unless select_last_index.
#include <functional>

#include "model/ops/arg_extreme.h"

namespace plimsoll {

const Op& arg_max_op() {
  static const Op op = arg_extreme_op<std::greater<>>("arg_max", {"ArgMax"});
  return op;
}

}  // namespace plimsoll
