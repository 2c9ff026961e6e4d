#include "plan/verdict/load_curve.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(LargestBatch, IsFoundWithFewQuestions) {
  for (const int64_t fixed : {0, 10, 999}) {
    for (const int64_t largest : {0, 1, 2, 63, 64, 255, 256}) {
      int questions = 0;
      const auto peak_at = [&](int64_t batch) -> Result<Bytes> {
        ++questions;
        return Bytes(fixed + 7 * batch);
      };
      const auto found = largest_batch(Bytes(fixed + 7 * largest + 3), 1, 256, peak_at);
      ASSERT_TRUE(found.ok());
      EXPECT_EQ(*found, largest) << fixed;
      EXPECT_LE(questions, 24);
    }
  }
}

TEST(BatchPast, AsksForNothingFarBeyondTheLimit) {
  for (const int64_t power : {1, 2, 3}) {
    const auto load = [&](int64_t batch) -> Result<Bytes> {
      Bytes bytes(10);
      for (int64_t i = 0; i < power; ++i) bytes = bytes * batch;
      return bytes > Bytes(1'000'000) ? Result<Bytes>(user_error("overflow")) : Result<Bytes>(bytes);
    };
    const auto past = batch_past(Bytes(100'000), 1'000'000'000, load);
    ASSERT_TRUE(past.ok()) << power;
    EXPECT_GT(*load(*past), Bytes(100'000));
  }
  EXPECT_EQ(*batch_past(Bytes(10), 64, [](int64_t) -> Result<Bytes> { return Bytes(1); }), 64);
}

TEST(LargestBatch, AnErrorIsPassedOn) {
  const auto found =
      largest_batch(Bytes(10), 1, 256, [](int64_t) -> Result<Bytes> { return user_error("no step at this batch"); });
  EXPECT_FALSE(found.ok());
}

}  // namespace
}  // namespace plimsoll
