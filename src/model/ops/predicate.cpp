#include "model/ops/predicate.h"

namespace plimsoll {

Result<std::vector<TensorType>> same_shape_bool(const OpCall& call) {
  return std::vector{TensorType{DType::boolean, call.shape(0)}};
}

}  // namespace plimsoll
