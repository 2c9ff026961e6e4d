// Random numbers for tests of single operations.
#pragma once

#include <random>

#include "model/ir/for_type.h"
#include "model/ir/tensor.h"

namespace plimsoll {

// Where the numbers lie. Some ops are only defined in one such range. Integers are 0 or 1.
struct NumberRange {
  double low, high;
  bool both_signs;
};

inline Tensor random_tensor(const TensorType& type, const NumberRange& range, std::mt19937& random) {
  Tensor tensor(type);
  for_type(type.dtype, [&](auto zero) {
    using T = decltype(zero);
    for (size_t i = 0; i < tensor.size(); ++i) {
      const double number = std::uniform_real_distribution<double>(range.low, range.high)(random);
      const double sign = range.both_signs && random() % 2 == 0 ? -1 : 1;
      tensor.as<T>()[i] = std::is_floating_point_v<T> ? T(number * sign) : T(random() % 2);
    }
  });
  return tensor;
}

}  // namespace plimsoll
