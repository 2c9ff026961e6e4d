#include "run/data/sample_picture.h"

#include <gtest/gtest.h>

#include "run/data/picture.h"
#include "tests/unit/run/train/blobs.h"

namespace plimsoll {
namespace {

TEST(SamplePicture, IsAPngStretchedToBlackAndWhite) {
  const auto png = sample_picture(std::make_shared<Blobs>(4), 1);
  ASSERT_TRUE(png.ok()) << png.error().line();
  ASSERT_GT(png->size(), 20u);
  EXPECT_EQ(png->substr(1, 3), "PNG");
  EXPECT_EQ((*png)[19], 6) << "six pixels wide";
}

TEST(SamplePicture, LargePicturesAreMadeSmaller) {
  const auto png = sample_picture(std::make_shared<Blobs>(4, Shape{3, 100, 200}), 0);
  ASSERT_TRUE(png.ok()) << png.error().line();
  EXPECT_EQ((*png)[19], 64);
  EXPECT_EQ((*png)[23], 32);
}

TEST(SamplePicture, WhatIsNoPictureHasNone) {
  EXPECT_EQ(*sample_picture(std::make_shared<Blobs>(4, Shape{2, 6, 6}), 0), "");
}

}  // namespace
}  // namespace plimsoll
