#include "model/ops/biased.h"

#include <fmt/format.h>

namespace plimsoll {

Result<std::vector<TensorType>> biased_type(const OpCall& call) {
  const Shape& x = call.shape(0);
  if (call.has(1) && (x.rank() < 1 || call.shape(1) != Shape{x[x.rank() - 1]}))
    return user_error(fmt::format("bias has the shape {}, expected a vector as long as the last axis of {}",
                                  call.shape(1).text(), x.text()));
  return same_type(call);
}

std::vector<OpExample> biased_examples() { return {{"tokens", {}, {{{DType::f32, {2, 3, 4}}}, {{DType::f32, {4}}}}}}; }

}  // namespace plimsoll
