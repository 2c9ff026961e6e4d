// Short spellings for the examples of operations.
#pragma once

#include <memory>

#include "model/ir/op.h"

namespace plimsoll::example {

using Ints = std::vector<int64_t>;

inline OpExample::Input f32(Shape shape) { return {{DType::f32, std::move(shape)}}; }
inline OpExample::Input i64(Shape shape) { return {{DType::i64, std::move(shape)}}; }

// Contents that the shape rule needs.
inline OpExample::Input known(Tensor tensor) {
  const auto data = std::make_shared<Tensor>(std::move(tensor));
  return {data->type, data};
}
inline OpExample::Input ints(const Ints& numbers) { return known(integer_tensor(numbers)); }

}  // namespace plimsoll::example
