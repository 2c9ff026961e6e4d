#include "run/bench/bench_run.h"

#include <gtest/gtest.h>

#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "tests/bench_runs.h"
#include "tests/zoo_program.h"

namespace plimsoll {
namespace {

constexpr auto kAuto = ConvSetting::automatic;

TEST(BenchRun, TheFastestNumberOfThreadsIsTheBest) {
  const std::vector<BenchRun> runs{made_up_run(8, 1, kAuto, Seconds{1.0}), made_up_run(8, 2, kAuto, Seconds{0.6}),
                                   made_up_run(8, 4, kAuto, Seconds{0.8})};
  const auto best = best_threads(runs);
  ASSERT_EQ(best.size(), 1u);
  EXPECT_EQ(best[0].threads, 2);
  EXPECT_EQ(best[0].fastest, 2);
  EXPECT_EQ(best[0].slower, 0);
}

TEST(BenchRun, WithinTheSpreadTheSmallerNumberIsTheBest) {
  const std::vector<BenchRun> runs{made_up_run(8, 4, kAuto, Seconds{0.50}, 0.1), made_up_run(8, 1, kAuto, Seconds{1.0}),
                                   made_up_run(8, 2, kAuto, Seconds{0.52}, 0.1)};
  const auto best = best_threads(runs);
  ASSERT_EQ(best.size(), 1u);
  EXPECT_EQ(best[0].threads, 2);
  EXPECT_EQ(best[0].fastest, 4);
  EXPECT_NEAR(best[0].slower, 0.04, 1e-9);
}

TEST(BenchRun, EachBatchAndWayHasItsOwnBest) {
  const auto direct = ConvSetting::direct;
  const std::vector<BenchRun> runs{made_up_run(1, 1, direct, Seconds{0.1}), made_up_run(1, 2, direct, Seconds{0.2}),
                                   made_up_run(8, 1, direct, Seconds{1.0}), made_up_run(8, 2, direct, Seconds{0.5}),
                                   made_up_run(8, 2, kAuto, Seconds{0.4})};
  const auto best = best_threads(runs);
  ASSERT_EQ(best.size(), 2u) << "one number of threads is no choice";
  EXPECT_EQ(best[0].threads, 1);
  EXPECT_EQ(best[1].threads, 2);
}

TEST(BenchRun, SpeedUpIsAgainstTheFirstOfTheSameStep) {
  std::vector<BenchRun> runs{made_up_run(1, 1, kAuto, Seconds{0.1}), made_up_run(1, 2, kAuto, Seconds{0.05}),
                             made_up_run(8, 1, kAuto, Seconds{0.8}), made_up_run(8, 2, kAuto, Seconds{0.5})};
  compare_threads(runs);
  EXPECT_DOUBLE_EQ(runs[0].speedup, 1);
  EXPECT_DOUBLE_EQ(runs[1].speedup, 2);
  EXPECT_DOUBLE_EQ(runs[2].speedup, 1);
  EXPECT_DOUBLE_EQ(runs[3].speedup, 1.6);
}

TEST(BenchRun, OperationsOfAStepCountEveryMicroBatch) {
  const auto flops = [](int64_t batch, int64_t micro_batches) {
    auto step = make_step(zoo_program("lenet5", {}, batch),
                          {.optimizer = *find_optimizer("momentum"), .micro_batches = micro_batches});
    EXPECT_TRUE(step.ok());
    return step_flops(*step).value();
  };
  EXPECT_GT(flops(8, 1), 2 * flops(4, 1) * 9 / 10);
  // The same samples in two passes: the same work, and the gradients' sums on top.
  EXPECT_GE(flops(4, 2), flops(8, 1));
  EXPECT_LT(flops(4, 2), flops(8, 1) * 11 / 10);
}

}  // namespace
}  // namespace plimsoll
