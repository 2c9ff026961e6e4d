// Pooling by hand: windows, padding, ceil_mode, indices, and torch's adaptive bins.
#include <limits>

#include "tests/unit/model/ops/op_case.h"

namespace plimsoll {
namespace {

using Ints = std::vector<int64_t>;

Attributes window(const Ints& kernel, const Ints& strides, const Ints& pads) {
  return {{"kernel_shape", kernel}, {"strides", strides}, {"pads", pads}};
}

Attributes with(Attributes attributes, const char* name, int64_t value) {
  attributes.set(name, value);
  return attributes;
}

TEST(Pool, MaximumOfEachWindow) {
  const Tensor image = f32({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  expect({"max_pool", {image}, {5, 6, 8, 9}, window({2, 2}, {1, 1}, {0, 0, 0, 0}), Shape{1, 1, 2, 2}});
  expect({"max_pool", {image}, {1, 3, 7, 9}, window({2, 2}, {2, 2}, {1, 1, 0, 0})});
}

TEST(Pool, CeilModeAddsAWindowThatStartsInsideTheInput) {
  const Tensor five = f32({1, 1, 5}, {1, 2, 3, 4, 5}), four = f32({1, 1, 4}, {1, 2, 3, 4});
  expect({"max_pool", {five}, {2, 4}, window({2}, {2}, {0, 0})});
  expect({"max_pool", {five}, {2, 4, 5}, with(window({2}, {2}, {0, 0}), "ceil_mode", 1)});
  // A third window would start behind the input, in the padding.
  expect({"max_pool", {four}, {1, 4}, with(window({2}, {3}, {1, 1}), "ceil_mode", 1)});
}

// As onnxruntime has it: the type's lowest number, not infinity, which would soon be not-a-number.
TEST(Pool, AWindowInThePaddingIsTheLowestNumber) {
  const float lowest = std::numeric_limits<float>::lowest();
  const Tensor x = f32({1, 1, 2}, {3, 4});
  expect({"max_pool", {x}, {lowest, 3, 4}, window({1}, {1}, {1, 0})});
  const auto with_places = evaluate(op_named("max_pool"), window({1}, {1}, {1, 0}), {&x}, 2);
  ASSERT_TRUE(with_places.ok());
  EXPECT_EQ((**with_places)[1].integers(), (Ints{-1, 0, 1}));  // from nowhere, so that no gradient flows there
}

TEST(Pool, IndicesCountOverTheWholeInput) {
  const Tensor x = f32({2, 1, 2, 2}, {1, 3, 2, 0, 0, 0, 9, 5});
  const Attributes rows = window({2, 2}, {2, 2}, {0, 0, 0, 0});
  const auto by_row = evaluate(op_named("max_pool"), rows, {&x}, 2);
  const auto by_column = evaluate(op_named("max_pool"), with(rows, "storage_order", 1), {&x}, 2);
  ASSERT_TRUE(by_row.ok() && by_column.ok());
  EXPECT_EQ((**by_row)[0].doubles(), (std::vector<double>{3, 9}));
  EXPECT_EQ((**by_row)[1].integers(), (Ints{1, 6}));
  EXPECT_EQ((**by_column)[1].integers(), (Ints{2, 5}));
}

TEST(Pool, AverageDividesWithOrWithoutPadding) {
  const Tensor x = f32({1, 1, 2}, {2, 4}), five = f32({1, 1, 5}, {1, 2, 3, 4, 5});
  expect({"average_pool", {x}, {2, 3, 4}, window({2}, {1}, {1, 1})});
  expect({"average_pool", {x}, {1, 3, 2}, with(window({2}, {1}, {1, 1}), "count_include_pad", 1)});
  // What hangs over the end of the padding never counts.
  expect({"average_pool",
          {five},
          {1.5, 3.5, 5},
          with(with(window({2}, {2}, {0, 0}), "count_include_pad", 1), "ceil_mode", 1)});
}

TEST(Pool, AdaptiveBinsOverlapAsInTorch) {
  const Tensor x = f32({1, 1, 5}, {1, 2, 3, 4, 5});
  expect({"adaptive_average_pool", {x}, {1.5, 3, 4.5}, {{"output_size", Ints{3}}}});
  expect({"adaptive_max_pool", {x}, {2, 4, 5}, {{"output_size", Ints{3}}}});
}

TEST(Pool, GlobalAndNorms) {
  const Tensor x = f32({1, 2, 2}, {3, 4, 6, 8});
  expect({"global_average_pool", {x}, {3.5, 7}, {}, Shape{1, 2, 1}});
  expect({"global_max_pool", {x}, {4, 8}});
  expect({"global_lp_pool", {x}, {5, 10}});
  expect({"lp_pool", {x}, {5, 10}, {{"kernel_shape", Ints{2}}}});
}

TEST(Pool, UnpoolPutsNumbersBackAndDropsWildIndices) {
  Tensor where({DType::i64, {1, 1, 2}});
  where.as<int64_t>()[0] = 1;
  where.as<int64_t>()[1] = int64_t{1} << 62;
  expect({"max_unpool", {f32({1, 1, 2}, {7, 8}), where}, {0, 7, 0, 0}, window({2}, {2}, {0, 0})});
}

TEST(Pool, RefusesAKernelThatIsMissingOrTooLarge) {
  const Tensor x = f32({1, 1, 3}, {1, 2, 3});
  expect_refused({"max_pool", {x}, {}}, {"kernel_shape"});
  expect_refused({"average_pool", {x}, {}, {{"kernel_shape", Ints{4}}}}, {"4", "3"});
  expect_refused({"adaptive_average_pool", {x}, {}, {{"output_size", Ints{0}}}}, {"output_size"});
}

}  // namespace
}  // namespace plimsoll
