#include "model/ir/tensor.h"

#include <algorithm>

#include "base/check.h"
#include "model/ir/for_type.h"

namespace plimsoll {
namespace {

template <class To>
std::vector<To> converted(const Tensor& tensor) {
  std::vector<To> numbers;
  for_type(tensor.type.dtype, [&](auto zero) {
    const auto* from = tensor.as<decltype(zero)>();
    numbers.assign(from, from + tensor.size());
  });
  return numbers;
}

}  // namespace

std::vector<int64_t> Tensor::integers() const {
  return is_floating(type.dtype) ? std::vector<int64_t>{} : converted<int64_t>(*this);
}

std::vector<double> Tensor::doubles() const { return converted<double>(*this); }

Tensor integer_tensor(const std::vector<int64_t>& numbers) {
  Tensor tensor({DType::i64, Shape{int64_t(numbers.size())}});
  std::copy(numbers.begin(), numbers.end(), tensor.as<int64_t>());
  return tensor;
}

Tensor integer_scalar(int64_t number) {
  Tensor tensor({DType::i64, Shape{}});
  *tensor.as<int64_t>() = number;
  return tensor;
}

Tensor float_tensor(Shape shape, const std::vector<float>& numbers) {
  Tensor tensor({DType::f32, std::move(shape)});
  PLIM_CHECK(tensor.size() == numbers.size(), "numbers do not fill the shape");
  std::copy(numbers.begin(), numbers.end(), tensor.as<float>());
  return tensor;
}

}  // namespace plimsoll
