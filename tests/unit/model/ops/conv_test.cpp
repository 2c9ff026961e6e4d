// The edge filter by hand, and the counts of the published examples.
#include <gtest/gtest.h>

#include "model/ir/evaluate.h"
#include "model/ops/all_ops.h"

namespace plimsoll {
namespace {

TEST(Conv, EdgeFilterGives0_30_30_0InEachRow) {
  std::vector<float> image;
  for (int row = 0; row < 6; ++row) image.insert(image.end(), {10, 10, 10, 0, 0, 0});
  const Tensor x = float_tensor({1, 1, 6, 6}, image);
  const Tensor w = float_tensor({1, 1, 3, 3}, {1, 0, -1, 1, 0, -1, 1, 0, -1});
  const auto y = evaluate(op_named("conv"), {}, {&x, &w}, 1);
  ASSERT_TRUE(y.ok() && y->has_value());
  EXPECT_EQ((**y)[0].type.shape, (Shape{1, 1, 4, 4}));
  const auto numbers = (**y)[0].doubles();
  for (size_t row = 0; row < 4; ++row)
    EXPECT_EQ(std::vector<double>(numbers.begin() + long(row) * 4, numbers.begin() + long(row) * 4 + 4),
              (std::vector<double>{0, 30, 30, 0}));
}

Cost conv_cost(const Shape& x, const Shape& w) {
  const TensorType types[] = {{DType::f32, x}, {DType::f32, w}};
  const Attributes none;
  OpCall call(none, {&types[0], &types[1]}, {}, 1);
  call.outputs = infer(op_named("conv"), call).value();
  return op_named("conv").cost(call);
}

TEST(Conv, OperationsOfTheLectureExamples) {
  EXPECT_EQ(conv_cost({1, 3, 224, 224}, {6, 3, 5, 5}).flops.value(), 43'560'000);
  EXPECT_EQ(conv_cost({1, 3, 224, 224}, {16, 3, 3, 3}).flops.value(), 42'581'376);
}

}  // namespace
}  // namespace plimsoll
