#include "plan/time/network_kind.h"

#include <gtest/gtest.h>

#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

NetworkKind kind(const std::string& network) { return kind_of(timed(zoo_program(network, {}, 1))); }

TEST(NetworkKind, GoesByWhatMostOfTheArithmeticIs) {
  EXPECT_EQ(kind("resnet50"), NetworkKind::convolutions);
  EXPECT_EQ(kind("mobilenet_v2"), NetworkKind::grouped);
  EXPECT_EQ(kind("resnext50_32x4d"), NetworkKind::grouped);
  EXPECT_EQ(kind("vit_b_16"), NetworkKind::products);
}

}  // namespace
}  // namespace plimsoll
