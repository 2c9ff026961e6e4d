// Tables of operations with results worked out by hand: one row a case, run through evaluate().
#pragma once

#include <gtest/gtest.h>

#include <optional>

#include "model/ir/evaluate.h"
#include "model/ops/all_ops.h"

namespace plimsoll::detail {

using Ints = std::vector<int64_t>;
using Inputs = std::vector<std::optional<Tensor>>;  // nullopt: absent

struct Row {
  std::string what;
  std::string op;
  Attributes attributes;
  Inputs inputs;
  std::vector<Tensor> expected;
};

struct BadRow {
  std::string op;
  Attributes attributes;
  Inputs inputs;
  std::string message;  // a part of it
  size_t outputs = 1;
};

inline Tensor f32(Shape shape, const std::vector<float>& numbers) { return float_tensor(std::move(shape), numbers); }
inline Tensor i64(Shape shape, const Ints& numbers) {
  Tensor tensor = integer_tensor(numbers);
  tensor.type.shape = std::move(shape);
  return tensor;
}
inline Tensor i64(const Ints& numbers) { return integer_tensor(numbers); }
template <class T>
Tensor typed(DType type, Shape shape, const std::vector<T>& numbers) {
  Tensor tensor({type, std::move(shape)});
  std::copy(numbers.begin(), numbers.end(), tensor.as<T>());
  return tensor;
}
inline Tensor bools(Shape shape, const std::vector<bool>& numbers) {
  Tensor tensor({DType::boolean, std::move(shape)});
  std::copy(numbers.begin(), numbers.end(), tensor.as<bool>());
  return tensor;
}
// 0, 1, 2 … in f32.
inline Tensor counting(Shape shape) {
  Tensor tensor({DType::f32, std::move(shape)});
  for (size_t i = 0; i < tensor.size(); ++i) tensor.as<float>()[i] = float(i);
  return tensor;
}

inline std::vector<const Tensor*> pointers(const Inputs& inputs) {
  std::vector<const Tensor*> list;
  for (const auto& input : inputs) list.push_back(input ? &*input : nullptr);
  return list;
}

inline void check(const std::vector<Row>& rows, double tolerance = 0) {
  for (const auto& row : rows) {
    SCOPED_TRACE(row.op + ": " + row.what);
    const auto result = evaluate(op_named(row.op), row.attributes, pointers(row.inputs), row.expected.size());
    ASSERT_TRUE(result.ok()) << result.error().line();
    ASSERT_TRUE(result->has_value()) << "declined";
    for (size_t i = 0; i < row.expected.size(); ++i) {
      const Tensor& got = (**result)[i];
      EXPECT_EQ(got.type.dtype, row.expected[i].type.dtype);
      ASSERT_EQ(got.type.shape, row.expected[i].type.shape);
      const auto numbers = got.doubles(), wanted = row.expected[i].doubles();
      for (size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(numbers[k], wanted[k], tolerance) << i << "[" << k << "]";
    }
  }
}

inline void check_refused(const std::vector<BadRow>& rows) {
  for (const auto& row : rows) {
    SCOPED_TRACE(row.op + ": " + row.message);
    const auto result = evaluate(op_named(row.op), row.attributes, pointers(row.inputs), row.outputs);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, ErrorKind::user);
    EXPECT_NE(result.error().line().find(row.message), std::string::npos) << result.error().line();
  }
}

}  // namespace plimsoll::detail
