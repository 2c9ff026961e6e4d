// What bench says and draws of made-up measurements, byte by byte. After a change that is meant to be seen:
//   PLIMSOLL_GOLDEN=write build/tests/golden_tests
// and look at the difference before it is committed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "run/ask/bench_reply.h"
#include "tell/report/bench_plot.h"
#include "tell/report/bench_report.h"
#include "tests/bench_runs.h"

namespace plimsoll {
namespace {

std::vector<BenchRun> runs() {
  std::vector<BenchRun> all;
  for (const ConvSetting way : {ConvSetting::direct, ConvSetting::winograd})
    for (const int64_t batch : {1, 8})
      for (const int64_t threads : {1, 2, 4}) {
        const double alone = double(batch) * (way == ConvSetting::direct ? 0.04 : 0.02) + 0.01;
        all.push_back(made_up_run(batch, threads, way,
                                  Seconds{alone / (threads == 1   ? 1
                                                   : threads == 2 ? 1.9
                                                                  : 1.91)}));
      }
  all.back().result.profile = made_up_profile();
  compare_threads(all);
  return all;
}

void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(PLIM_TEST_DATA "/../golden/cli/expected/") + name;
  if (std::getenv("PLIMSOLL_GOLDEN")) std::ofstream(path, std::ios::binary) << text;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(text, expected.str());
}

const BenchView kView{"alexnet",
                      Mode::train,
                      50'000,
                      FlopsPerSecond{1.2e11},
                      {{"nvidia-tesla-k40", "pytorch", 1, Seconds{0.012}, Seconds{600.0}},
                       {"nvidia-v100-32gb", "pytorch", 1, Seconds{0.0031}, Seconds{155.0}}}};

TEST(GoldenBench, Text) { expect_golden("bench.txt", bench_text(runs(), kView)); }

TEST(GoldenBench, TextOfOneRowOnAMachineThatWasNotMeasured) {
  BenchRun run = made_up_run(32, 2, ConvSetting::automatic, Seconds{0.125});
  run.predicted = std::nullopt;
  run.result.by_reference = {"erf"};
  expect_golden("bench_one.txt", bench_text({run}, {"alexnet", Mode::inference}));
}

TEST(GoldenBench, Json) {
  expect_golden("bench.json", json_text(document_json(kBenchSchema, BenchOutcome{runs(), kView})));
}

TEST(GoldenBench, Plot) { expect_golden("bench.svg", plots_svg(bench_plots(runs(), kView))); }

}  // namespace
}  // namespace plimsoll
