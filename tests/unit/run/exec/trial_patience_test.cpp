#include "run/exec/torch/trial_patience.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr Seconds kMost{60};
const Flops kAll(1'000'000'000);

TEST(TrialPatience, ExpectsTheRestToTakeItsShare) {
  const TrialPatience patience(kMost, kAll);
  EXPECT_EQ(patience.too_long(Flops(100'000'000), Seconds{5}), std::nullopt);  // 50 s in all
  const auto whole = patience.too_long(Flops(10'000'000), Seconds{5});
  ASSERT_TRUE(whole);
  EXPECT_DOUBLE_EQ(whole->value, 500);
}

TEST(TrialPatience, WaitsUntilThereIsSomethingToGoBy) {
  const TrialPatience patience(kMost, kAll);
  EXPECT_EQ(patience.too_long(Flops(1'000), Seconds{0.5}), std::nullopt);
  EXPECT_EQ(patience.too_long(Flops(0), Seconds{50}), std::nullopt);
  // Ten minutes, on a machine that took five seconds to load libtorch and to try the first norm.
  EXPECT_EQ(TrialPatience(Seconds{600}, kAll).too_long(Flops(1'000), Seconds{5}), std::nullopt);
  EXPECT_TRUE(TrialPatience(Seconds{0}, kAll).too_long(Flops(1), Seconds{1e-6}));
}

}  // namespace
}  // namespace plimsoll
