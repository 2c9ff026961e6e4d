// Shapes keep few axes in place and more on the heap: nobody can tell which.
#include "base/shape.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

Shape of_rank(int rank) {
  Shape shape;
  for (int i = 0; i < rank; ++i) shape.push_back(i + 2);
  return shape;
}

TEST(Shape, GrowsBeyondWhatIsKeptInPlace) {
  for (int rank = 0; rank <= 12; ++rank) {
    const Shape shape = of_rank(rank);
    ASSERT_EQ(shape.rank(), rank);
    for (int i = 0; i < rank; ++i) EXPECT_EQ(shape[i], i + 2);
    EXPECT_EQ(shape, Shape(shape.dims()));
    EXPECT_EQ(shape.strides().size(), size_t(rank));
  }
}

TEST(Shape, CopiesAndMovesOfAnyRankAreTheirOwn) {
  for (const int from : {0, 2, 5, 6, 9})
    for (const int to : {0, 4, 5, 7}) {
      Shape source = of_rank(from), target = of_rank(to);
      target = source;
      EXPECT_EQ(target, source);
      if (from > 0) target[0] = 99;
      EXPECT_EQ(source, of_rank(from));
      target = std::move(source);
      EXPECT_EQ(target, of_rank(from));
      const Shape moved(std::move(target));
      EXPECT_EQ(moved, of_rank(from));
    }
  Shape same = of_rank(7);
  const Shape& itself = same;
  same = itself;
  EXPECT_EQ(same, of_rank(7));
}

TEST(Shape, DiffersByRankAndBySizes) {
  EXPECT_NE(of_rank(5), of_rank(6));
  EXPECT_NE((Shape{2, 3}), (Shape{3, 2}));
  EXPECT_NE(Shape(), Shape{1});
  EXPECT_EQ(Shape().text(), "scalar");
  EXPECT_EQ(of_rank(6).text(), "2x3x4x5x6x7");
}

TEST(ShapeDeathTest, AnAxisThatItHasNotIsABugOfOurs) {
  EXPECT_DEATH(of_rank(3)[3], "no such axis");
  EXPECT_DEATH(of_rank(3)[-1], "no such axis");
}

}  // namespace
}  // namespace plimsoll
