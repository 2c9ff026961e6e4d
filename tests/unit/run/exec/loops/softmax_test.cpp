#include "run/exec/loops/softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace plimsoll {
namespace {

std::vector<float> scores_of_row(int64_t count) {
  std::mt19937 random(11);
  std::normal_distribution<float> normal(0, 4);
  std::vector<float> scores;
  for (int64_t i = 0; i < count; ++i) scores.push_back(normal(random));
  return scores;
}

double log_of_sum(const std::vector<float>& scores) {
  double sum = 0;
  for (const float score : scores) sum += std::exp(double(score));
  return std::log(sum);
}

class RowOfScores : public testing::TestWithParam<int64_t> {};

TEST_P(RowOfScores, HasTheLogarithmsOfItsShares) {
  const auto scores = scores_of_row(GetParam());
  auto logs = scores;  // in place
  log_softmax_row(logs.data(), GetParam(), logs.data());
  const double all = log_of_sum(scores);
  for (size_t i = 0; i < scores.size(); ++i) ASSERT_NEAR(logs[i], double(scores[i]) - all, 3e-6) << i;
}

TEST_P(RowOfScores, GoesBackToItsSharesTimesAFactor) {
  constexpr float kElsewhere = 0.01F, kFactor = 0.5F;
  const auto scores = scores_of_row(GetParam());
  auto slopes = scores;
  log_softmax_row(slopes.data(), GetParam(), slopes.data());
  shares_back(slopes.data(), kElsewhere, kFactor, GetParam(), slopes.data());
  const double all = log_of_sum(scores);
  for (size_t i = 0; i < scores.size(); ++i)
    ASSERT_NEAR(slopes[i], (std::exp(double(scores[i]) - all) - double(kElsewhere)) * double(kFactor), 1e-6) << i;
}

// Of no vector, of some and a rest, and of several runs of numbers.
INSTANTIATE_TEST_SUITE_P(Lengths, RowOfScores, testing::Values(1, 7, 100, 4096, 50257));

TEST_P(RowOfScores, HasItsLargestWhereItIsFirst) {
  auto scores = scores_of_row(GetParam());
  for (const size_t place : {scores.size() / 3, scores.size() / 2, scores.size() - 1}) scores[place] = 100;
  EXPECT_EQ(first_largest(scores.data(), GetParam()), GetParam() / 3);
  EXPECT_NEAR(log_of_powers(scores.data(), GetParam()), log_of_sum(scores), 1e-5);
}

TEST(RowOfScoresTest, OfWhichNoneIsANumberHasItsLargestAtTheFront) {
  const std::vector<float> scores(40, std::nanf(""));
  EXPECT_EQ(first_largest(scores.data(), 40), 0);
}

TEST(RowOfScoresTest, WithOneThatIsNotANumberHasNone) {
  auto scores = scores_of_row(5000);
  scores[4321] = std::nanf("");
  log_softmax_row(scores.data(), 5000, scores.data());
  for (const float log : scores) ASSERT_TRUE(std::isnan(log));
}

}  // namespace
}  // namespace plimsoll
