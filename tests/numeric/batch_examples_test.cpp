// The published batch sizes, row by row, and the published run that waits for its loader.
#include <cmath>

#include "plan/time/pipeline_time.h"
#include "plan/verdict/arithmetic_fit.h"
#include "plan/verdict/load_line.h"
#include "tests/facts.h"

namespace plimsoll {
namespace {

Bytes megabytes(const std::string& cell) { return Bytes(std::llround(std::stod(cell) * 1e6)); }

TEST(BatchExamples, EveryRowExactly) {
  int with_memory = 0;
  for (const auto& row : facts("batch_examples.csv")) {
    SCOPED_TRACE(row.at("memory_gb") + " GB, batch " + row.at("batch"));
    const ArithmeticLoad load{megabytes(row.at("model_mb")), megabytes(row.at("sample_mb")),
                              megabytes(row.at("activations_and_gradients_mb_per_sample"))};
    const int64_t batch = std::stoll(row.at("batch"));
    const Bytes total(std::llround(std::stod(row.at("total_gb")) * 1e9));
    EXPECT_EQ(load.at(batch), total);
    if (row.at("memory_gb").empty()) continue;
    const Bytes memory(std::stoll(row.at("memory_gb")) * 1'000'000'000);
    const auto largest = fit_by_arithmetic(load, memory, kLoadLine, std::nullopt);
    ASSERT_TRUE(largest.ok());
    EXPECT_EQ(largest->batch, batch);
    EXPECT_EQ(largest->peak, total);
    EXPECT_TRUE(largest->fits);
    const auto next = fit_by_arithmetic(load, memory, kLoadLine, batch + 1);
    ASSERT_TRUE(next.ok());
    EXPECT_FALSE(next->fits);
    EXPECT_EQ(next->shortfall, load.at(batch + 1) - bytes_under_line(memory, kLoadLine));
    ++with_memory;
  }
  EXPECT_EQ(with_memory, 4);
}

TEST(BatchExamples, TheLineItselfIsStillUnderTheLine) {
  const ArithmeticLoad load{Bytes(100), Bytes(100), Bytes(500)};
  const auto fit = fit_by_arithmetic(load, Bytes(3875), kLoadLine, std::nullopt);  // 80 % are 3,100
  ASSERT_TRUE(fit.ok());
  EXPECT_EQ(fit->largest, 5);
  EXPECT_EQ(fit->smallest_memory, Bytes(3875));
  EXPECT_EQ(fit_by_arithmetic(load, Bytes(3874), kLoadLine, std::nullopt)->largest, 4);
}

TEST(BatchExamples, NothingFitsIsAnAnswerWithTheSmallestMemory) {
  const ArithmeticLoad load{Bytes(100'000'000), Bytes(100'000'000), Bytes(500'000'000)};
  const auto fit = fit_by_arithmetic(load, Bytes(500'000'000), kLoadLine, std::nullopt);
  ASSERT_TRUE(fit.ok());
  EXPECT_EQ(fit->largest, 0);
  EXPECT_EQ(fit->batch, 1);
  EXPECT_FALSE(fit->fits);
  EXPECT_EQ(fit->shortfall, Bytes(300'000'000));
  EXPECT_EQ(fit->smallest_memory, Bytes(875'000'000));
}

TEST(BatchExamples, BadValuesAreTheUsersMistake) {
  const ArithmeticLoad good{Bytes(100), Bytes(100), Bytes(500)};
  const Bytes memory(8000);
  const auto refused = [](const Result<ArithmeticFit>& fit) {
    return !fit.ok() && fit.error().kind == ErrorKind::user;
  };
  EXPECT_TRUE(refused(fit_by_arithmetic({Bytes(-1), Bytes(1), Bytes(1)}, memory, 0.8, {})));
  EXPECT_TRUE(refused(fit_by_arithmetic({Bytes(1), Bytes(-1), Bytes(1)}, memory, 0.8, {})));
  EXPECT_TRUE(refused(fit_by_arithmetic({Bytes(1), Bytes(0), Bytes(0)}, memory, 0.8, {})));
  EXPECT_TRUE(refused(fit_by_arithmetic(good, Bytes(0), 0.8, {})));
  for (const double line : {0.0, -1.0, 1.5, std::nan("")})
    EXPECT_TRUE(refused(fit_by_arithmetic(good, memory, line, {})));
  for (const int64_t batch : {int64_t{0}, int64_t{-1}, int64_t{1'000'000'000'000'000'000}})
    EXPECT_TRUE(refused(fit_by_arithmetic(good, memory, 0.8, batch)));
}

// 2 host cores, full augmentation: the published step says what such a core decodes. Whatever the T4 computes in less
// than that time, the step is the loader's.
TEST(CatsDogsRuns, TheT4RowIsLoaderBound) {
  int found = 0;
  for (const auto& row : facts("catsdogs_runs.csv")) {
    if (row.at("hardware") != "nvidia-t4") continue;
    ++found;
    const int64_t batch = std::stoll(row.at("batch"));
    LoadingSetup setup;
    setup.disk = *find_disk("sata");
    setup.sample = Bytes(22'000);
    setup.decode_per_core = SamplesPerSecond{27};
    setup.host_cores = setup.loaders = 2;
    const LoadingRate rate = *loading_rate(setup);
    EXPECT_EQ(rate.bound, LoadingBound::cores);
    StageTimes times = loading_times(setup, rate, batch, false);
    times.compute = {0.8};
    const Pace step = pace(times, rate.overlaps);
    EXPECT_EQ(step.bound_by, BoundBy::decode);
    EXPECT_TRUE(is_loader(step.bound_by));
    EXPECT_NEAR(step.step.value / std::stod(row.at("seconds_per_step")), 1, 0.05);
    EXPECT_EQ(pace_sentence(times, step, setup, batch).substr(0, 26), "Loader-bound: decoding 128");
  }
  EXPECT_EQ(found, 1);
}

}  // namespace
}  // namespace plimsoll
