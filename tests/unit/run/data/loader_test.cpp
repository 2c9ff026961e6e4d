#include "run/data/loader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>
#include <set>

#include "run/data/cifar.h"
#include "run/data/permutation.h"
#include "run/data/synthetic.h"
#include "tests/harness/run_program.h"
#include "tests/unit/run/data/set_files.h"

namespace plimsoll {
namespace {

// Sample i is the number i. Every `bad`-th one cannot be read.
class NumberedSamples : public Dataset {
 public:
  explicit NumberedSamples(int64_t size, int64_t bad = 0, ErrorKind kind = ErrorKind::user)
      : size_(size), bad_(bad), kind_(kind) {
    info_.name = "numbers";
    info_.type = {{DType::f32, {1}}, 1000};
  }
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return size_; }
  Bytes scratch() const override { return Bytes(100); }
  Status get(int64_t index, int64_t epoch, std::span<std::byte> input, int64_t& label,
             std::span<std::byte> scratch) const override {
    take<char>(scratch, 100);
    if (bad_ > 0 && index % bad_ == bad_ - 1)
      return Error{kind_, "is damaged", "file" + std::to_string(index) + ".jpg", ""};
    floats(input)[0] = float(index) + float(epoch) / 4;
    label = index % 1000;
    return {};
  }
  Status labels(std::span<int64_t> into) const override {
    for (size_t i = 0; i < into.size(); ++i) into[i] = int64_t(i) % 1000;
    return {};
  }
  std::string describe(int64_t index) const override { return std::to_string(index); }

 private:
  DatasetInfo info_;
  int64_t size_, bad_;
  ErrorKind kind_;
};

// All samples of an epoch in the order in which they come; -1 ends each batch.
std::vector<float> sequence(Loader& loader, int64_t epoch, int64_t first = 0) {
  EXPECT_TRUE(loader.start(epoch, first).ok());
  std::vector<float> all;
  while (true) {
    auto batch = loader.next();
    EXPECT_TRUE(batch.ok()) << batch.error().line();
    if (!batch.ok() || !*batch) return all;
    const auto* numbers = reinterpret_cast<const float*>((*batch)->inputs.data());
    EXPECT_EQ((*batch)->inputs.size(), size_t(loader.options().batch) * sizeof(float));
    all.insert(all.end(), numbers, numbers + (*batch)->samples);
    all.push_back(-1);
  }
}

std::unique_ptr<Loader> loader_of(const LoaderOptions& options, int64_t size, int64_t bad = 0,
                                  ErrorKind kind = ErrorKind::user) {
  auto loader = Loader::make(std::make_shared<NumberedSamples>(size, bad, kind), options);
  EXPECT_TRUE(loader.ok()) << loader.error().line();
  return std::move(*loader);
}

TEST(PermutationTest, EveryNumberOnceAndAnotherOrderEachEpoch) {
  for (const int64_t size : {1, 2, 3, 100, 1000, 4097}) {
    std::set<int64_t> seen;
    const Permutation order(size, 7, 0);
    for (int64_t i = 0; i < size; ++i) seen.insert(order.at(i));
    EXPECT_EQ(int64_t(seen.size()), size);
    EXPECT_EQ(*seen.begin(), 0);
    EXPECT_EQ(*seen.rbegin(), size - 1);
  }
  int same = 0, rising = 0;
  const Permutation one(10'000, 7, 0), two(10'000, 7, 1);
  for (int64_t i = 0; i < 10'000; ++i) {
    same += one.at(i) == two.at(i) ? 1 : 0;
    rising += one.at(i) < one.at((i + 1) % 10'000) ? 1 : 0;
  }
  EXPECT_LT(same, 20);  // one is to be expected
  EXPECT_NEAR(rising, 5000, 200);
}

TEST(LoaderTest, TheSameBatchesWhateverTheNumberOfWorkers) {
  const LoaderOptions options{.batch = 32, .workers = 0, .seed = 3, .shuffle = true};
  const auto expected = sequence(*loader_of(options, 1000), 2);
  EXPECT_EQ(expected.size(), 1000U + 32);
  for (const int workers : {1, 2, 3, 8})
    for (const int depth : {1, 2, 5}) {
      LoaderOptions other = options;
      other.workers = workers;
      other.depth = depth;
      const auto loader = loader_of(other, 1000);
      EXPECT_EQ(sequence(*loader, 2), expected) << workers << " workers, depth " << depth;
      EXPECT_NE(sequence(*loader, 3), expected);
      EXPECT_EQ(sequence(*loader, 2), expected);
    }
}

TEST(LoaderTest, StartingInTheMiddleGivesWhatWouldHaveCome) {
  const auto loader = loader_of({.batch = 10, .workers = 2, .seed = 3, .shuffle = true}, 95);
  const auto whole = sequence(*loader, 1);
  const auto rest = sequence(*loader, 1, 4);
  EXPECT_EQ(rest, std::vector<float>(whole.begin() + 44, whole.end()));
  EXPECT_TRUE(sequence(*loader, 1, 10).empty());
  EXPECT_FALSE(loader->start(1, 11).ok());
}

TEST(LoaderTest, AnEpochCanBeLeftAndWorkersEnd) {
  for (int i = 0; i < 50; ++i) {
    const auto loader = loader_of({.batch = 7, .workers = 3, .seed = 1, .depth = 3}, 1000);
    ASSERT_TRUE(loader->start(0).ok());
    ASSERT_TRUE(loader->next().ok());
    if (i % 2 == 0) {
      EXPECT_EQ(sequence(*loader, 1, 142).size(), 7U);
    }
  }
}

TEST(LoaderTest, TheLastBatchIsShortOrDropped) {
  const auto kept = loader_of({.batch = 4, .workers = 2}, 10);
  EXPECT_EQ(kept->batches(), 3);
  EXPECT_EQ(sequence(*kept, 0), (std::vector<float>{0, 1, 2, 3, -1, 4, 5, 6, 7, -1, 8, 9, -1}));
  const auto dropped = loader_of({.batch = 4, .workers = 2, .drop_last = true}, 10);
  EXPECT_EQ(dropped->batches(), 2);
  EXPECT_EQ(sequence(*dropped, 0), (std::vector<float>{0, 1, 2, 3, -1, 4, 5, 6, 7, -1}));
}

TEST(LoaderTest, ABadSampleStopsAtItsPlaceWithItsFile) {
  for (const int workers : {0, 1, 4}) {
    const auto loader = loader_of({.batch = 4, .workers = workers}, 100, 10);
    ASSERT_TRUE(loader->start(0).ok());
    EXPECT_TRUE(loader->next().ok());
    EXPECT_TRUE(loader->next().ok());
    for (int again = 0; again < 2; ++again) {
      const auto third = loader->next();
      ASSERT_FALSE(third.ok());
      EXPECT_EQ(third.error().line(), "file9.jpg: is damaged");
    }
  }
}

TEST(LoaderTest, SkippedSamplesAreCountedAndLeftOut) {
  for (const int workers : {0, 3}) {
    const auto loader = loader_of({.batch = 6, .workers = workers, .bad = {.skip = true}}, 12, 5);
    EXPECT_EQ(sequence(*loader, 0), (std::vector<float>{0, 1, 2, 3, 5, -1, 6, 7, 8, 10, 11, -1}));
    EXPECT_EQ(loader->skipped(), 2);
    EXPECT_EQ(loader->skipped_lines(), (std::vector<std::string>{"file4.jpg: is damaged", "file9.jpg: is damaged"}));
  }
}

TEST(LoaderTest, WhereBatchesMustBeFullTheNextSampleTakesThePlace) {
  const auto loader = loader_of({.batch = 6, .workers = 2, .drop_last = true, .bad = {.skip = true}}, 12, 5);
  EXPECT_EQ(sequence(*loader, 0), (std::vector<float>{0, 1, 2, 3, 5, 5, -1, 6, 7, 8, 10, 10, 11, -1}));
  EXPECT_EQ(loader->skipped(), 2);
}

TEST(LoaderTest, MoreBadSamplesThanAllowedStop) {
  const auto loader = loader_of({.batch = 10, .workers = 2, .bad = {.skip = true, .most = 3}}, 100, 5);
  ASSERT_TRUE(loader->start(0).ok());
  EXPECT_TRUE(loader->next().ok());
  const auto second = loader->next();
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().line(),
            "4 samples of this epoch are bad, at most 3 may be skipped; the first: file4.jpg: is damaged");
  const auto all_bad = loader_of({.batch = 2, .workers = 1, .drop_last = true, .bad = {.skip = true}}, 4, 1);
  ASSERT_TRUE(all_bad->start(0).ok());
  EXPECT_FALSE(all_bad->next().ok());
}

TEST(LoaderTest, AFileThatVanishedIsNotSkipped) {
  const auto loader = loader_of({.batch = 20, .workers = 2, .bad = {.skip = true}}, 100, 5, ErrorKind::environment);
  ASSERT_TRUE(loader->start(0).ok());
  EXPECT_FALSE(loader->next().ok());
}

TEST(LoaderTest, FewerSamplesThanABatch) {
  const auto set = std::make_shared<NumberedSamples>(5);
  const auto loader = Loader::make(set, {.batch = 8, .drop_last = true});
  ASSERT_FALSE(loader.ok());
  EXPECT_EQ(loader.error().line(), "numbers: has 5 samples, fewer than one batch of 8 (choose a smaller batch)");
  for (const int64_t batch : {int64_t{0}, int64_t{-1}, int64_t{1'000'000'000'000'000'000}})
    EXPECT_FALSE(Loader::make(set, {.batch = batch}).ok()) << batch;
  EXPECT_FALSE(Loader::make(set, {.batch = 1, .workers = -1}).ok());
  EXPECT_FALSE(Loader::make(set, {.batch = 1, .depth = 0}).ok());
}

TEST(LoaderTest, MemoryIsKnownBefore) {
  const auto set = synthetic({{DType::f32, {3, 32, 32}}, 10}, 1000, 1);
  ASSERT_TRUE(set.ok());
  const LoaderOptions options{.batch = 64, .workers = 3, .depth = 4};
  const auto loader = Loader::make(*set, options);
  ASSERT_TRUE(loader.ok());
  EXPECT_EQ((*loader)->memory(), Loader::memory_of(**set, options));
  EXPECT_EQ((*loader)->memory(), Bytes(4 * (64 * 3072 * 4 + 64 * 8)));
}

// Fault 21: the set is cut, changed or removed while a network trains on it.
class ChangingFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string bytes;
    for (int i = 0; i < 40; ++i) bytes += cifar_record(i % 10, i);
    path_ = folder_.write("data_batch_1.bin", bytes);
    auto set = open_cifar({path_}, CifarKind::ten);
    ASSERT_TRUE(set.ok());
    auto loader = Loader::make(*set, {.batch = 10, .workers = 2, .bad = {.skip = true}});
    ASSERT_TRUE(loader.ok());
    loader_ = std::move(*loader);
    ASSERT_TRUE(loader_->start(0).ok());
    ASSERT_TRUE(loader_->next().ok());
  }
  std::string failure() {
    while (true) {
      const auto batch = loader_->next();
      if (!batch.ok()) return batch.error().line();
      if (!*batch) break;
    }
    const auto again = loader_->start(1);
    return again.ok() ? "" : again.error().line();
  }
  TemporaryFolder folder_;
  std::string path_;
  std::unique_ptr<Loader> loader_;
};

TEST_F(ChangingFileTest, Truncated) {
  std::filesystem::resize_file(path_, 5 * 3073);
  const std::string line = failure();
  EXPECT_TRUE(line.starts_with(path_ + ": became shorter while it was read")) << line;
}

TEST_F(ChangingFileTest, Deleted) {
  std::filesystem::remove(path_);
  const std::string line = failure();
  EXPECT_TRUE(line.starts_with(path_ + ": was removed after it was opened")) << line;
}

TEST_F(ChangingFileTest, WrittenTo) {
  std::filesystem::last_write_time(path_, std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_EQ(failure(), path_ + ": was changed after it was opened");
}

// Several workers take turns at the batches of one order: none twice, none left out.
TEST(Loader, SharesOfAnEpochAreDisjointAndWhole) {
  for (const bool drop_last : {true, false})
    for (const int shares : {1, 2, 3, 5}) {
      LoaderOptions options{.batch = 4, .workers = 0, .seed = 3, .shuffle = true, .drop_last = drop_last};
      const auto whole = sequence(*loader_of(options, 50), 1);
      std::set<float> seen;
      int64_t batches = 0;
      for (options.share = 0, options.shares = shares; options.share < shares; ++options.share) {
        const auto loader = loader_of(options, 50);
        EXPECT_EQ(loader->batches(), drop_last ? 50 / (4 * shares) : (13 - options.share + shares - 1) / shares);
        batches += loader->batches();
        ASSERT_TRUE(loader->start(1).ok());
        for (auto batch = loader->next(); batch.ok() && *batch; batch = loader->next()) {
          const auto* numbers = reinterpret_cast<const float*>((*batch)->inputs.data());
          for (int64_t n = 0; n < (*batch)->samples; ++n) {
            EXPECT_TRUE(seen.insert(numbers[n]).second);
            // `whole` has a -1 behind each batch of four.
            EXPECT_EQ(numbers[n], whole[size_t((*batch)->first / 4 * 5 + n)]);
          }
        }
      }
      EXPECT_EQ(int64_t(seen.size()), drop_last ? batches * 4 : 50);
    }
}

// Workers that take the same batches: as many epochs as they are go once through the set.
TEST(Loader, InTurnAllTakeTheSameShareAndEachEpochTheNext) {
  LoaderOptions options{.batch = 4, .workers = 0, .seed = 3, .shuffle = true, .drop_last = true};
  options.shares = 3;
  options.in_turn = true;
  const auto first = loader_of(options, 48);
  options.share = 2;
  const auto last = loader_of(options, 48);
  for (const int64_t pass : {0, 1}) {
    std::multiset<float> seen;
    for (int64_t epoch = 3 * pass; epoch < 3 * pass + 3; ++epoch) {
      const auto taken = sequence(*first, epoch);
      EXPECT_EQ(taken, sequence(*last, epoch)) << epoch;
      for (const float number : taken)
        if (number >= 0) seen.insert(number);  // a -1 stands behind each batch
    }
    EXPECT_EQ(seen.size(), 48U);
    EXPECT_EQ(std::set<float>(seen.begin(), seen.end()).size(), 48U);
  }
  EXPECT_NE(sequence(*first, 0), sequence(*first, 3));
}

TEST(Loader, AShareMayHaveNothingToEvaluate) {
  const LoaderOptions options{.batch = 4, .workers = 0, .share = 4, .shares = 5};
  EXPECT_TRUE(sequence(*loader_of(options, 10), 0).empty());
}

}  // namespace
}  // namespace plimsoll
