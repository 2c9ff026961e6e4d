// arg_min: where along an axis the smallest number stands; the first of equals unless select_last_index.
#include <functional>

#include "model/ops/arg_extreme.h"

namespace plimsoll {

const Op& arg_min_op() {
  static const Op op = arg_extreme_op<std::less<>>("arg_min", {"ArgMin"});
  return op;
}

}  // namespace plimsoll
