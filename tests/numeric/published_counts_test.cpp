// Parameters of networks that torchvision does not have, against what their authors publish.
#include <gtest/gtest.h>

#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

TEST(PublishedCounts, OverFeatFastHas145Million) { EXPECT_EQ(parameters(zoo_program("overfeat")) / 1'000'000, 145); }

// Caffe's AlexNet is published as 60,965,224 weights.
TEST(PublishedCounts, CaffesAlexNet) { EXPECT_EQ(parameters(zoo_program("alexnet_caffe")), 60965224); }

TEST(PublishedCounts, ResNet200Has64Point7Million) {
  EXPECT_NEAR(double(parameters(zoo_program("resnet200"))) / 1e6, 64.7, 0.05);
}

}  // namespace
}  // namespace plimsoll
