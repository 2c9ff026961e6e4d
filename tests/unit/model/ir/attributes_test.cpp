// Copies of attributes share what they hold until one is changed.
#include "model/ir/attributes.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(Attributes, AChangedCopyLeavesTheOthersAlone) {
  Attributes first{{"axis", int64_t{1}}};
  Attributes second = first;
  const Attributes third = second;
  second.set("axis", int64_t{2});
  second.set("epsilon", 0.5);
  EXPECT_EQ(first.integer("axis", 0), 1);
  EXPECT_EQ(second.integer("axis", 0), 2);
  EXPECT_EQ(third.integer("axis", 0), 1);
  EXPECT_FALSE(third.has("epsilon"));
  EXPECT_EQ(print(second), "axis=2, epsilon=0.5");
}

TEST(Attributes, NoneAreSharedByNobody) {
  Attributes none;
  Attributes copy = none;
  copy.set("axis", int64_t{3});
  EXPECT_EQ(none.begin(), none.end());
  EXPECT_EQ(copy.integer("axis", 0), 3);
}

}  // namespace
}  // namespace plimsoll
