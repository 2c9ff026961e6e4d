#include "run/data/loader_benchmark.h"

#include <gtest/gtest.h>

#include "run/data/synthetic.h"

namespace plimsoll {
namespace {

LoaderBenchmark made(std::vector<LoaderRun> runs, int64_t cores) {
  LoaderBenchmark benchmark{.runs = std::move(runs), .cores = cores, .sample = Bytes(1000)};
  find_knee(benchmark);
  return benchmark;
}

TEST(LoaderBenchmarkTest, TheKneeAndItsReason) {
  const auto cores = made({{1, {100}}, {2, {190}}, {4, {200}}}, 2);
  EXPECT_EQ(cores.knee, 2);
  EXPECT_EQ(cores.sentence,
            "2 workers load 190 samples/s, and every one of the 2 cores has one: more workers add nothing.");
  const auto rising = made({{1, {100}}, {2, {190}}}, 8);
  EXPECT_EQ(rising.knee, 2);
  EXPECT_NE(rising.sentence.find("more may load faster"), std::string::npos);
  const auto busy = made({{1, {100}}, {2, {150}}, {4, {300}}}, 2);
  EXPECT_EQ(busy.knee, 4);
  EXPECT_NE(busy.sentence.find("Measure again when the machine is idle"), std::string::npos);
  const auto cheap = made({{1, {100}}, {2, {102}}}, 8);
  EXPECT_EQ(cheap.knee, 1);
  EXPECT_NE(cheap.sentence.find("1 worker loads 100 samples/s, with 8 cores there"), std::string::npos);
  LoaderBenchmark drive{.runs = {{1, {100}}, {2, {102}}}, .cores = 8, .sample = Bytes(1'000'000)};
  drive.drive = BytesPerSecond{101e6};
  find_knee(drive);
  EXPECT_NE(drive.sentence.find("that is what the drive gives (101.0 MB/s): more workers add nothing"),
            std::string::npos)
      << drive.sentence;
  drive.drive = BytesPerSecond{50e6};  // the page cache gave more
  find_knee(drive);
  EXPECT_NE(drive.sentence.find("read from the drive (50.00 MB/s) it would be at most 50 samples/s"), std::string::npos)
      << drive.sentence;
  drive.drive = BytesPerSecond{900e6};
  find_knee(drive);
  EXPECT_NE(drive.sentence.find("it gives up to 900 samples/s"), std::string::npos) << drive.sentence;
}

TEST(LoaderBenchmarkTest, MeasuresAndPredictsEachNumberOfWorkers) {
  const auto set = synthetic({{DType::f32, {3, 16, 16}}, 10}, 500, 1);
  ASSERT_TRUE(set.ok());
  const auto benchmark = benchmark_loader(*set, {.workers = {0, 1, 2}, .each = Seconds{0.02}, .cores = 2});
  ASSERT_TRUE(benchmark.ok());
  ASSERT_EQ(benchmark->runs.size(), 3U);
  for (const auto& run : benchmark->runs) EXPECT_GT(run.measured.per_second, 0);
  EXPECT_FALSE(benchmark->runs[1].predicted);
  EXPECT_DOUBLE_EQ(benchmark->runs[2].predicted->per_second, 2 * benchmark->runs[1].measured.per_second);
}

}  // namespace
}  // namespace plimsoll
