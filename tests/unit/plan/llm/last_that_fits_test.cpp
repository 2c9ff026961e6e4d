#include "plan/llm/last_that_fits.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

// The answer, and how many questions it took.
std::pair<int64_t, int> asked(int64_t last, int64_t low, int64_t high, int64_t guess) {
  int questions = 0;
  const auto found = last_that_fits(low, high, guess, [&](int64_t n) -> Result<bool> {
    EXPECT_GT(n, low);
    EXPECT_LT(n, high);
    ++questions;
    return n <= last;
  });
  return {found.value(), questions};
}

TEST(LastThatFits, IsFoundFromAnyGuess) {
  for (int64_t last = 1; last < 40; ++last)
    for (int64_t guess = -1; guess < 42; ++guess) EXPECT_EQ(asked(last, 1, 40, guess).first, last) << guess;
}

TEST(LastThatFits, ARightGuessTakesTwoQuestions) {
  EXPECT_EQ(asked(1000, 1, 65537, 1000), std::pair(int64_t{1000}, 2));
}

// Above as below: a walk by ones took hundreds of questions where the guess was too low.
TEST(LastThatFits, AGuessThatIsFarOffTakesFew) {
  EXPECT_LE(asked(20'000, 1, 65'537, 700).second, 32);
  EXPECT_LE(asked(700, 1, 65'537, 20'000).second, 32);
}

TEST(LastThatFits, AnErrorEndsTheSearch) {
  const auto found = last_that_fits(1, 9, 5, [](int64_t) -> Result<bool> { return user_error("no form"); });
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().what, "no form");
}

}  // namespace
}  // namespace plimsoll
