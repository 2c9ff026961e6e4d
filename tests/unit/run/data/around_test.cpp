// Datasets around a dataset: subset and split, reshaped, normalised, augmented, synthetic.
#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <set>

#include "run/data/augmented.h"
#include "run/data/cifar.h"
#include "run/data/normalised.h"
#include "run/data/reshaped.h"
#include "run/data/subset.h"
#include "run/data/synthetic.h"
#include "tests/unit/run/data/set_files.h"

namespace plimsoll {
namespace {

DatasetPtr cifar_of(const std::string& bytes) {
  static std::deque<std::string> kept;  // the dataset borrows them
  kept.push_back(bytes);
  auto set = read_cifar({std::make_shared<MemorySource>(kept.back())}, {"made_up.bin"}, CifarKind::ten);
  EXPECT_TRUE(set.ok());
  return *set;
}

DatasetPtr noise(const Shape& shape, int64_t size = 10) {
  auto set = synthetic({{DType::f32, shape}, 4}, size, 1);
  EXPECT_TRUE(set.ok());
  return *set;
}

TEST(SplitTest, TheSameShareOfEveryClassBySeed) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) bytes += cifar_record(i < 200 ? 0 : i < 290 ? 1 : 2, i % 256);
  const auto whole = cifar_of(bytes);
  const auto halves = split(whole, 0.1, 5, "validation");
  ASSERT_TRUE(halves.ok());
  EXPECT_EQ(halves->part->size(), 30);
  EXPECT_EQ(halves->rest->size(), 270);
  std::vector<int64_t> labels(30);
  ASSERT_TRUE(halves->part->labels(labels).ok());
  EXPECT_EQ(std::count(labels.begin(), labels.end(), 0), 20);
  EXPECT_EQ(std::count(labels.begin(), labels.end(), 1), 9);
  EXPECT_EQ(std::count(labels.begin(), labels.end(), 2), 1);
  std::set<std::string> seen;
  for (int64_t i = 0; i < 30; ++i) seen.insert(halves->part->describe(i));
  for (int64_t i = 0; i < 270; ++i) seen.insert(halves->rest->describe(i));
  EXPECT_EQ(seen.size(), 300U);  // nothing twice, nothing lost
  const auto again = split(whole, 0.1, 5, "validation"), other = split(whole, 0.1, 6, "validation");
  EXPECT_EQ(again->part->info().identity, halves->part->info().identity);
  EXPECT_NE(other->part->info().identity, halves->part->info().identity);
  EXPECT_FALSE(split(whole, 0.0001, 5, "validation").ok());
}

TEST(ReshapedTest, ResizingKeepsAFlatPictureAndItsMean) {
  const auto set = reshaped(cifar_of(cifar_record(3, 77)), {DType::f32, {3, 50, 20}});
  ASSERT_TRUE(set.ok());
  const auto read = read_sample(**set, 0);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->numbers.size(), 3000U);
  for (const float number : read->numbers) EXPECT_NEAR(number, 77, 1e-3);
}

// 0 1 2 3 halved: each new pixel weighs its neighbours 1/8 3/8 3/8 1/8, at the edge 3/7 3/7 1/7.
TEST(ReshapedTest, HalvingCountsEveryPixel) {
  std::string record = cifar_record(0, 0);
  for (size_t i = 0; i < 3072; ++i) record[1 + i] = char(8 * (i % 32));
  const auto set = reshaped(cifar_of(record), {DType::f32, {3, 32, 16}});
  const auto read = read_sample(**set, 0);
  ASSERT_TRUE(read.ok());
  EXPECT_NEAR(read->numbers[0], 8 * (3 * 0 + 3 * 1 + 1 * 2) / 7.0, 1e-3);
  EXPECT_NEAR(read->numbers[1], 8 * 2.5, 1e-3);
  EXPECT_NEAR(read->numbers[7], 8 * 14.5, 1e-3);
}

TEST(ReshapedTest, DoublingInterpolates) {
  std::string record = cifar_record(0, 0);
  for (size_t i = 0; i < 3072; ++i) record[1 + i] = char(8 * (i % 32));
  const auto set = reshaped(cifar_of(record), {DType::f32, {3, 32, 64}});
  const auto read = read_sample(**set, 0);
  ASSERT_TRUE(read.ok());
  EXPECT_NEAR(read->numbers[0], 0, 1e-3);
  EXPECT_NEAR(read->numbers[1], 2, 1e-3);
  EXPECT_NEAR(read->numbers[2], 6, 1e-3);
}

TEST(ReshapedTest, Colours) {
  std::string record = cifar_record(0, 0);
  for (size_t i = 0; i < 1024; ++i) record[1 + i] = 100;
  for (size_t i = 1024; i < 2048; ++i) record[1 + i] = 10;
  const auto gray = reshaped(cifar_of(record), {DType::f32, {1, 32, 32}});
  EXPECT_NEAR(read_sample(**gray, 0)->numbers[500], 0.299 * 100 + 0.587 * 10, 1e-3);
  const auto colour = reshaped(*gray, {DType::f32, {3, 32, 32}});
  const auto numbers = read_sample(**colour, 0)->numbers;
  EXPECT_EQ(numbers[5], numbers[1024 + 5]);
  EXPECT_EQ(numbers[5], numbers[2048 + 5]);
}

TEST(ReshapedTest, FlatInputsTakePicturesOfTheirSize) {
  const auto flat = reshaped(noise({1, 4, 4}), {DType::f32, {16}});
  ASSERT_TRUE(flat.ok());
  EXPECT_EQ((*flat)->info().type.input.shape, (Shape{16}));
  const auto wrong = reshaped(noise({1, 4, 4}), {DType::f32, {17}});
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().line(), "synthetic: samples are f32 of 1x4x4 and cannot become f32 of 17");
  EXPECT_FALSE(reshaped(noise({1, 4, 4}), {DType::i64, {16}}).ok());
  EXPECT_FALSE(reshaped(noise({4, 4, 4}), {DType::f32, {3, 4, 4}}).ok());
  EXPECT_FALSE(reshaped(noise({1, 4, 4}), {DType::f32, {2, 4, 4}}).ok());
}

TEST(NormalisedTest, MeanZeroDeviationOne) {
  const auto raw = noise({3, 8, 8}, 200);
  const auto statistics = channel_statistics(*raw, 1000);
  ASSERT_TRUE(statistics.ok());
  ASSERT_EQ(statistics->mean.size(), 3U);
  EXPECT_NEAR(statistics->mean[1], 0.5, 0.02);  // even noise
  EXPECT_NEAR(statistics->deviation[1], 1 / std::sqrt(12.0), 0.01);
  const auto set = normalised(raw, *statistics);
  ASSERT_TRUE(set.ok());
  const auto after = channel_statistics(**set, 1000);
  for (size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(after->mean[c] * 255, 0, 1e-5);
    EXPECT_NEAR(after->deviation[c] * 255, 1, 1e-5);
  }
}

TEST(NormalisedTest, WithoutStatisticsOnlyDividedBy255) {
  const auto set = normalised(cifar_of(cifar_record(3, 51)), {});
  ASSERT_TRUE(set.ok());
  EXPECT_FLOAT_EQ(read_sample(**set, 0)->numbers[0], 0.2F);
  EXPECT_FALSE(normalised(noise({3, 4, 4}), {{0.5, 0.5}, {1, 1}}).ok());
  EXPECT_FALSE(normalised(noise({3, 4, 4}), {{0.5}, {0}}).ok());
}

TEST(AugmentedTest, FollowsFromSeedEpochAndNumber) {
  const Augmentations all{.flip = true, .shift = 3, .rotate = 20, .zoom = 0.2, .shear = 0.1};
  const auto set = augmented(noise({3, 16, 16}), all, 9), same = augmented(noise({3, 16, 16}), all, 9);
  const auto other = augmented(noise({3, 16, 16}), all, 10);
  ASSERT_TRUE(set.ok());
  const auto first = read_sample(**set, 4, 2)->numbers;
  EXPECT_EQ(first, read_sample(**same, 4, 2)->numbers);
  EXPECT_NE(first, read_sample(**set, 4, 3)->numbers);
  EXPECT_NE(first, read_sample(**other, 4, 2)->numbers);
}

TEST(AugmentedTest, FlipMirrorsAboutHalf) {
  const auto raw = noise({1, 2, 3}, 400);
  const auto set = augmented(raw, {.flip = true}, 1);
  int mirrored = 0;
  for (int64_t i = 0; i < 400; ++i) {
    const auto before = read_sample(*raw, i)->numbers, after = read_sample(**set, i)->numbers;
    if (before == after) continue;
    ++mirrored;
    EXPECT_EQ(after, (std::vector<float>{before[2], before[1], before[0], before[5], before[4], before[3]}));
  }
  EXPECT_NEAR(mirrored, 200, 50);
}

TEST(AugmentedTest, ShiftMovesByWholePixelsAndFillsWithBlack) {
  const auto raw = noise({1, 6, 6}, 500);
  const auto set = augmented(raw, {.shift = 2}, 1);
  std::set<std::pair<int, int>> moves;
  for (int64_t i = 0; i < 500; ++i) {
    const auto before = read_sample(*raw, i)->numbers, after = read_sample(**set, i)->numbers;
    for (int down = -2; down <= 2; ++down)
      for (int right = -2; right <= 2; ++right) {
        std::vector<float> moved(36, 0);
        for (int y = 0; y < 6; ++y)
          for (int x = 0; x < 6; ++x)
            if (y - down >= 0 && y - down < 6 && x - right >= 0 && x - right < 6)
              moved[size_t(y * 6 + x)] = before[size_t((y - down) * 6 + x - right)];
        if (moved == after) moves.emplace(down, right);
      }
  }
  EXPECT_EQ(moves.size(), 25U);
}

// A ramp from left to right, turned by a quarter, is a ramp from top to bottom or from bottom to top.
TEST(AugmentedTest, RotationTurnsAboutTheMiddle) {
  std::string record = cifar_record(0, 0);
  for (size_t i = 0; i < 3072; ++i) record[1 + i] = char(8 * (i % 32));
  const auto set = augmented(cifar_of(record), {.rotate = 180}, 1);
  const auto numbers = read_sample(**set, 0)->numbers;
  const double middle = (numbers[15 * 32 + 15] + numbers[16 * 32 + 16]) / 2;
  EXPECT_NEAR(middle, 8 * 15.5, 0.1);  // the middle stays where it is
  const double slope_x = (numbers[16 * 32 + 20] - numbers[16 * 32 + 11]) / 9;
  const double slope_y = (numbers[20 * 32 + 16] - numbers[11 * 32 + 16]) / 9;
  EXPECT_NEAR(std::hypot(slope_x, slope_y), 8, 0.1);
}

TEST(AugmentedTest, Words) {
  const auto all = parse_augmentations("flip,shift:4,rotate:15,zoom:0.1,shear:0.2");
  ASSERT_TRUE(all.ok());
  EXPECT_TRUE(all->flip);
  EXPECT_EQ(all->shift, 4);
  EXPECT_EQ(all->rotate, 15);
  EXPECT_EQ(all->zoom, 0.1);
  EXPECT_EQ(all->shear, 0.2);
  EXPECT_FALSE(parse_augmentations("").value().any());
  for (const char* bad : {"flop", "flip:2", "shift", "shift:1.5", "shift:-1", "rotate:x", "zoom:nan", "zoom:1",
                          "shear:", "flip,,shift:1", "rotate:1e9"})
    EXPECT_FALSE(parse_augmentations(bad).ok()) << bad;
}

TEST(SyntheticTest, SamplesDifferAndStayTheSame) {
  const auto set = noise({3, 4, 4});
  EXPECT_EQ(read_sample(*set, 1)->numbers, read_sample(*noise({3, 4, 4}), 1)->numbers);
  EXPECT_NE(read_sample(*set, 1)->numbers, read_sample(*set, 2)->numbers);
  EXPECT_FALSE(synthetic({{DType::f16, {4}}, 2}, 5, 1).ok());
  EXPECT_FALSE(synthetic({{DType::f32, {4}}, 2}, 0, 1).ok());
}

}  // namespace
}  // namespace plimsoll
