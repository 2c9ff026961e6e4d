#include "model/ops/window.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

Result<std::vector<int64_t>> pooled(int64_t size, int64_t kernel, int64_t stride, bool ceil_mode) {
  const Shape input{1, 1, size};
  const Attributes attributes{{"strides", std::vector<int64_t>{stride}}};
  return window_output(*read_window(attributes, input, {kernel}), input, ceil_mode);
}

TEST(Window, RoundingUpKeepsOnePartialWindow) {
  EXPECT_EQ(*pooled(2, 3, 2, true), (std::vector<int64_t>{1}));
  EXPECT_EQ(*pooled(4, 3, 2, true), (std::vector<int64_t>{2}));
  EXPECT_FALSE(pooled(2, 3, 2, false).ok());
  EXPECT_FALSE(pooled(1, 3, 2, true).ok());  // a whole stride is missing
  EXPECT_FALSE(pooled(0, 1, 2, true).ok());
}

}  // namespace
}  // namespace plimsoll
