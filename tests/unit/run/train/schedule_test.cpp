#include "run/train/schedule.h"
#include "base/field_mark.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

Schedule schedule(const std::string& text, int64_t epochs, int64_t steps_per_epoch) {
  Schedule made;
  made.base = 0.8;
  made.steps = epochs * steps_per_epoch;
  const Status read = parse_schedule(text, epochs, steps_per_epoch, made);
  EXPECT_TRUE(read.ok()) << text;
  return made;
}

TEST(Schedule, ConstantStaysAndWarmsUp) {
  Schedule rate = schedule("constant", 2, 10);
  EXPECT_DOUBLE_EQ(rate.at(0), 0.8);
  EXPECT_DOUBLE_EQ(rate.at(19), 0.8);
  rate.warmup = 4;
  EXPECT_DOUBLE_EQ(rate.at(0), 0.2);
  EXPECT_DOUBLE_EQ(rate.at(3), 0.8);
  EXPECT_DOUBLE_EQ(rate.at(4), 0.8);
}

TEST(Schedule, CosineAndPolyGoFromTheBaseTowardsZero) {
  const Schedule cosine = schedule("cosine", 1, 10);
  EXPECT_DOUBLE_EQ(cosine.at(0), 0.8);
  EXPECT_DOUBLE_EQ(cosine.at(5), 0.4);
  EXPECT_NEAR(cosine.at(10), 0, 1e-15);
  EXPECT_NEAR(cosine.at(11), 0, 1e-15);
  const Schedule poly = schedule("poly:0.5", 1, 4);
  EXPECT_DOUBLE_EQ(poly.at(0), 0.8);
  EXPECT_DOUBLE_EQ(poly.at(3), 0.4);
  EXPECT_DOUBLE_EQ(schedule("poly", 1, 4).at(2), 0.2);
}

TEST(Schedule, StepsCountFromTheEndOfTheWarmUp) {
  Schedule rate = schedule("step:2:0.5", 6, 10);
  EXPECT_DOUBLE_EQ(rate.at(19), 0.8);
  EXPECT_DOUBLE_EQ(rate.at(20), 0.4);
  EXPECT_DOUBLE_EQ(rate.at(59), 0.2);
  EXPECT_DOUBLE_EQ(schedule("step", 9, 10).at(30), 0.08);
  rate.warmup = 5;
  EXPECT_DOUBLE_EQ(rate.at(24), 0.8);
  EXPECT_DOUBLE_EQ(rate.at(25), 0.4);
}

TEST(Schedule, WarmUpInStepsOrEpochs) {
  EXPECT_EQ(*parse_warmup("500", 10), 500);
  EXPECT_EQ(*parse_warmup("5epochs", 10), 50);
  EXPECT_EQ(*parse_warmup("1epoch", 10), 10);
  for (const char* bad : {"", "-1", "5 epochs", "1.5", "epochs", "9999999999"})
    EXPECT_FALSE(parse_warmup(bad, 10).ok()) << bad;
}

TEST(Schedule, MistakesAreNamed) {
  for (const char* bad : {"", "linear", "cosine:3", "step:", "step:0", "step:1:0", "step:1:nan", "step:1:0.5:2",
                          "poly:", "poly:-1", "poly:inf", "step:99999999999"}) {
    Schedule made;
    const Status read = parse_schedule(bad, 3, 10, made);
    ASSERT_FALSE(read.ok()) << bad;
    EXPECT_NE(read.error().line().find(named("schedule") + " is"), std::string::npos);
  }
}

TEST(Schedule, WarmUpMayBeginAtAShareOfTheRate) {
  const Schedule schedule{.base = 0.8, .steps = 100, .warmup = 4, .warm_from = 0.125};
  EXPECT_DOUBLE_EQ(schedule.at(0), 0.1 + 0.7 / 4);
  EXPECT_DOUBLE_EQ(schedule.at(3), 0.8);
  EXPECT_DOUBLE_EQ(schedule.at(4), 0.8);
}

}  // namespace
}  // namespace plimsoll
