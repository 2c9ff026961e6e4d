// Matrix products and their kin: numpy's rules, exact counts, and transposed convolutions by hand.
#include "tests/unit/model/ops/op_case.h"

namespace plimsoll {
namespace {

using Ints = std::vector<int64_t>;

Cost cost_of(const std::string& op, const Attributes& attributes, const std::vector<Shape>& shapes) {
  std::vector<TensorType> types;
  std::vector<const TensorType*> pointers;
  for (const auto& shape : shapes) types.push_back({DType::f32, shape});
  for (const auto& type : types) pointers.push_back(&type);
  OpCall call(attributes, pointers, {}, 1);
  call.outputs = infer(op_named(op), call).value();
  return op_named(op).cost(call);
}

TEST(Product, MatmulFollowsNumpy) {
  const Tensor matrix = f32({2, 2}, {1, 2, 3, 4}), vector = f32({10, 100});
  expect({"matmul", {matrix, matrix}, {7, 10, 15, 22}});
  expect({"matmul", {matrix, vector}, {210, 430}, {}, Shape{2}});
  expect({"matmul", {vector, matrix}, {310, 420}, {}, Shape{2}});
  expect({"matmul", {vector, vector}, {10100}, {}, Shape{}});
  expect({"matmul", {f32({2, 1, 1}, {2, 3}), f32({1, 2}, {5, 7})}, {10, 14, 15, 21}, {}, Shape{2, 1, 2}});
  expect_refused({"matmul", {matrix, f32({1, 2, 3})}, {}}, {"2x2", "3"});
}

// A square matrix looks the same whichever way round it is; its numbers do not.
TEST(Product, ATransposedMatrixMayBeSquare) {
  const Tensor matrix = f32({2, 2}, {1, 2, 3, 4}), other = f32({2, 1}, {10, 100});
  expect({"matmul", {matrix, other}, {310, 420}, {{"transA", int64_t{1}}}});
  expect({"matmul", {f32({1, 2}, {10, 100}), matrix}, {210, 430}, {{"transB", int64_t{1}}}});
}

TEST(Product, LinearAddsItsBiasToEachRow) {
  expect({"linear", {f32({1, 2, 2}, {1, 2, 3, 4}), f32({2, 1}, {1, 10}), f32({5})}, {26, 48}, {}, Shape{1, 2, 1}});
  const Cost cost = cost_of("linear", {}, {{8, 197, 768}, {768, 3072}, {3072}});
  EXPECT_EQ(cost.macs.value(), int64_t{8} * 197 * 768 * 3072);
  EXPECT_EQ(cost.flops.value(), 2 * cost.macs.value());
}

TEST(Product, MixedTypesAreReadAsWhatTheyAre) {  // a stranger's weights may be narrower than their use
  expect({"gemm", {f32({1, 2}, {1, 2}), numbers<int8_t>(DType::i8, {2, 1}, {3, 4})}, {11}});
  expect({"conv", {f32({1, 1, 2}, {1, 2}), numbers<int8_t>(DType::i8, {1, 1, 2}, {3, 4})}, {11}});
}

TEST(Product, EinsumSumsWhatTheOutputDoesNotName) {
  const Tensor a = f32({2, 2}, {1, 2, 3, 4}), b = f32({2, 2}, {5, 6, 7, 8});
  const auto equation = [](const char* text) { return Attributes{{"equation", std::string(text)}}; };
  expect({"einsum", {a, b}, {19, 22, 43, 50}, equation("ij,jk->ik")});
  expect({"einsum", {a, b}, {19, 22, 43, 50}, equation("ij, jk")});
  expect({"einsum", {a}, {5}, equation("ii->")});
  expect({"einsum", {a}, {1, 3, 2, 4}, equation("ij->ji")});
  expect(
      {"einsum", {f32({1, 2, 2}, {1, 2, 3, 4}), f32({10, 100})}, {210, 430}, equation("...ij,j->...i"), Shape{1, 2}});
  expect_refused({"einsum", {a, b}, {}, equation("ij->i")}, {"2 inputs"});
  expect_refused({"einsum", {a}, {}, equation("ij->k")}, {"no operand has"});
  expect_refused({"einsum", {a, f32({1, 2, 3})}, {}, equation("ij,j->i")}, {"2", "3"});
}

TEST(Product, EinsumCountsItsMacs) {
  const auto macs = [](const char* text, const std::vector<Shape>& shapes) {
    return cost_of("einsum", {{"equation", std::string(text)}}, shapes).macs.value();
  };
  EXPECT_EQ(macs("bhqd,bhkd->bhqk", {{2, 12, 5, 64}, {2, 12, 7, 64}}), 2 * 12 * 5 * 7 * 64);
  EXPECT_EQ(macs("i,j->ij", {{3}, {4}}), 0);
  EXPECT_EQ(macs("ij,jk,kl->il", {{2, 3}, {3, 4}, {4, 5}}), 2 * 3 * 4 + 2 * 4 * 5);
}

TEST(Product, ConvTransposeSpreadsEachNumber) {
  const Tensor x = f32({1, 1, 2}, {1, 2}), w = f32({1, 1, 3}, {1, 1, 1});
  expect({"conv_transpose", {x, w}, {1, 1, 3, 2, 2}, {{"strides", Ints{2}}}});
  expect({"conv_transpose", {x, w, f32({10})}, {11, 13, 12}, {{"strides", Ints{2}}, {"pads", Ints{1, 1}}}});
  expect({"conv_transpose", {x, w}, {1, 1, 3, 2, 2, 0}, {{"strides", Ints{2}}, {"output_padding", Ints{1}}}});
  expect({"conv_transpose", {x, w}, {1, 3, 2, 2}, {{"strides", Ints{2}}, {"output_shape", Ints{4}}}});
  expect({"conv_transpose",
          {f32({1, 2, 1}, {1, 2}), f32({2, 1, 2}, {1, 2, 3, 4})},
          {1, 2, 6, 8},
          {{"group", int64_t{2}}},
          Shape{1, 2, 2}});
  expect_refused({"conv_transpose", {x, w}, {}, {{"pads", Ints{9, 9}}}}, {"pads"});
  EXPECT_EQ(cost_of("conv_transpose", {{"strides", Ints{2, 2}}}, {{1, 64, 8, 8}, {64, 32, 2, 2}}).macs.value(),
            64 * 8 * 8 * 32 * 2 * 2);
}

TEST(Product, QuantisingRoundsToEvenAndSaturates) {
  const Tensor zero = i8({1});
  expect({"quantize_linear", {f32({0.5f, 1.5f, -300, 300, NAN}), f32({1}), zero}, {1, 3, -128, 127, 0}});
  expect({"dequantize_linear", {i8({-1, 3}), f32({0.5f}), zero}, {-1, 1}});
}

}  // namespace
}  // namespace plimsoll
