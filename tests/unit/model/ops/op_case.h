// One row of a table of operations computed by hand: the op, its inputs, what must come out.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

#include "model/ir/evaluate.h"
#include "model/ops/all_ops.h"

namespace plimsoll {

struct OpCase {
  std::string op;
  std::vector<Tensor> inputs;
  std::vector<double> expected;
  Attributes attributes = {};
  std::optional<Shape> shape = std::nullopt;  // of the output, where it is not obvious
};

template <class T>
Tensor numbers(DType type, Shape shape, const std::vector<T>& values) {
  Tensor tensor({type, std::move(shape)});
  EXPECT_EQ(tensor.size(), values.size());
  for (size_t i = 0; i < values.size(); ++i) tensor.as<T>()[i] = values[i];
  return tensor;
}

inline Tensor f32(const std::vector<float>& values) { return float_tensor({int64_t(values.size())}, values); }
inline Tensor f32(Shape shape, const std::vector<float>& values) { return float_tensor(std::move(shape), values); }
inline Tensor i64(const std::vector<int64_t>& values) { return integer_tensor(values); }
inline Tensor i32(const std::vector<int32_t>& values) { return numbers(DType::i32, {int64_t(values.size())}, values); }
inline Tensor i8(const std::vector<int8_t>& values) { return numbers(DType::i8, {int64_t(values.size())}, values); }
inline Tensor u8(const std::vector<uint8_t>& values) { return numbers(DType::u8, {int64_t(values.size())}, values); }
inline Tensor bools(const std::vector<bool>& values) {
  return numbers(DType::boolean, {int64_t(values.size())}, values);
}

inline Result<std::optional<std::vector<Tensor>>> evaluate(const OpCase& row) {
  std::vector<const Tensor*> inputs;
  for (const auto& input : row.inputs) inputs.push_back(&input);
  return evaluate(op_named(row.op), row.attributes, inputs, 1);
}

inline void expect(const OpCase& row) {
  SCOPED_TRACE(row.op);
  const auto outputs = evaluate(row);
  ASSERT_TRUE(outputs.ok()) << outputs.error().line();
  ASSERT_TRUE(outputs->has_value()) << "declined";
  const Tensor& output = (**outputs)[0];
  if (row.shape) {
    EXPECT_EQ(output.type.shape.text(), row.shape->text());
  }
  const auto found = output.doubles();
  ASSERT_EQ(found.size(), row.expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    const double wanted = row.expected[i];
    const bool exact = std::isnan(wanted) ? std::isnan(found[i]) : found[i] == wanted;
    const double slack = 2e-6 * std::max(1.0, std::abs(wanted));
    EXPECT_TRUE(exact || std::abs(found[i] - wanted) <= slack) << "at " << i << ": " << found[i] << ", not " << wanted;
  }
}

// The message of the shape rule must hold every one of `parts`.
inline void expect_refused(const OpCase& row, const std::vector<std::string>& parts) {
  SCOPED_TRACE(row.op);
  const auto outputs = evaluate(row);
  ASSERT_FALSE(outputs.ok());
  EXPECT_EQ(outputs.error().kind, ErrorKind::user);
  for (const auto& part : parts)
    EXPECT_NE(outputs.error().what.find(part), std::string::npos) << part << " is not in: " << outputs.error().what;
}

}  // namespace plimsoll
