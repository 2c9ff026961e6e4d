// Typed arrays: what a value is (TensorType), numbers in memory that we own (Tensor), and
// numbers in memory that somebody else owns (TensorView, what reference maths works on).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/dtype.h"
#include "base/shape.h"

namespace plimsoll {

struct TensorType {
  DType dtype = DType::f32;
  Shape shape;

  Count elements() const { return shape.elements(); }
  Bytes bytes() const { return bytes_of(dtype, elements()); }
  bool operator==(const TensorType&) const = default;
};

// Row-major numbers of a type that reference maths computes with (see for_type.h).
struct Tensor {
  TensorType type;
  std::vector<std::byte> bytes;

  Tensor() = default;
  explicit Tensor(TensorType t)
      : type(std::move(t)), bytes(size_t(type.elements().value()) * element_size(type.dtype)) {}

  size_t size() const { return size_t(type.elements().value()); }
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(bytes.data());
  }
  template <class T>
  const T* as() const {
    return reinterpret_cast<const T*>(bytes.data());
  }

  // The numbers as integers, whatever integer type holds them; empty for other types.
  std::vector<int64_t> integers() const;
  // The numbers as doubles, whatever number type holds them.
  std::vector<double> doubles() const;
};

using TensorPtr = std::shared_ptr<const Tensor>;

// {1, 2, 3} as a constant: integer_tensor({1, 2, 3}) has shape 3, integer_scalar(7) none.
Tensor integer_tensor(const std::vector<int64_t>& numbers);
Tensor integer_scalar(int64_t number);
Tensor float_tensor(Shape shape, const std::vector<float>& numbers);

struct TensorView {
  const TensorType* type = nullptr;  // nullptr: an optional input or output that is absent
  std::byte* data = nullptr;

  TensorView() = default;
  TensorView(const TensorType& t, std::byte* d) : type(&t), data(d) {}
  explicit TensorView(Tensor& tensor) : type(&tensor.type), data(tensor.bytes.data()) {}

  bool present() const { return type != nullptr; }
  const Shape& shape() const { return type->shape; }
  DType dtype() const { return type->dtype; }
  int64_t size() const { return type->elements().value(); }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(data);
  }
};

}  // namespace plimsoll
