#include "tell/report/bench_plot.h"

#include <gtest/gtest.h>

#include "tests/bench_runs.h"

namespace plimsoll {
namespace {

constexpr auto kAuto = ConvSetting::automatic, kDirect = ConvSetting::direct;

const PlotLine* line(const Plot& plot, const std::string& name) {
  for (const auto& line : plot.lines)
    if (line.name == name) return &line;
  return nullptr;
}

TEST(BenchPlot, TimePerEpochAndSpeedUpAgainstThreads) {
  const std::vector<BenchRun> runs{made_up_run(10, 4, kAuto, Seconds{0.5}), made_up_run(10, 1, kAuto, Seconds{1.0})};
  const auto plots = bench_plots(runs, {.model = "net", .mode = Mode::train, .samples = 1000});
  ASSERT_EQ(plots.size(), 2u);
  ASSERT_EQ(plots[0].lines.size(), 2u);
  EXPECT_NE(plots[0].title.find("1,000 images"), std::string::npos);
  const PlotLine& measured = plots[0].lines[0];
  ASSERT_EQ(measured.points.size(), 2u);
  EXPECT_DOUBLE_EQ(measured.points[0].x, 1);
  EXPECT_DOUBLE_EQ(measured.points[0].y, 100);
  EXPECT_DOUBLE_EQ(measured.points[1].y, 50);
  const PlotLine* ideal = line(plots[1], "ideal");
  ASSERT_NE(ideal, nullptr);
  EXPECT_TRUE(ideal->guide);
  EXPECT_DOUBLE_EQ(ideal->points[1].y, 4);
  EXPECT_DOUBLE_EQ(plots[1].lines[0].points[1].y, 2);
}

TEST(BenchPlot, TimePerStepAgainstBatchWithTheOperationCount) {
  const std::vector<BenchRun> runs{made_up_run(1, 2, kAuto, Seconds{0.2}), made_up_run(4, 2, kAuto, Seconds{0.4})};
  const auto plots = bench_plots(runs, {.model = "net", .mode = Mode::train});
  ASSERT_EQ(plots.size(), 1u);
  const PlotLine* count = line(plots[0], "as the operation count grows");
  ASSERT_NE(count, nullptr);
  EXPECT_DOUBLE_EQ(count->points[0].y, 100) << "a quarter of the larger batch's";
  EXPECT_DOUBLE_EQ(count->points[1].y, 400);
  EXPECT_DOUBLE_EQ(plots[0].lines[0].points[0].y, 200);
}

TEST(BenchPlot, LinesAreNamedByWhatDiffers) {
  std::vector<BenchRun> runs;
  for (const ConvSetting way : {kAuto, kDirect})
    for (const int64_t batch : {1, 8})
      for (const int64_t threads : {1, 2}) runs.push_back(made_up_run(batch, threads, way, Seconds{1.0}));
  const auto plots = bench_plots(runs, {.model = "net", .mode = Mode::train});
  ASSERT_EQ(plots.size(), 3u);
  EXPECT_NE(line(plots[0], "batch 8, direct"), nullptr);
  EXPECT_EQ(line(plots[0], "ideal"), nullptr) << "whose?";
  EXPECT_NE(line(plots[1], "ideal"), nullptr);
  EXPECT_NE(line(plots[2], "2 threads, auto"), nullptr);
}

TEST(BenchPlot, OtherMachinesAreLevelLinesOfTheTimePerEpoch) {
  const std::vector<BenchRun> runs{made_up_run(10, 1, kAuto, Seconds{1.0}), made_up_run(10, 2, kAuto, Seconds{0.5})};
  BenchView view{.model = "net", .mode = Mode::train, .samples = 1000};
  view.beside.push_back({"nvidia-t4", "pytorch", 10, Seconds{0.01}, Seconds{1.0}});
  const auto plots = bench_plots(runs, view);
  const PlotLine* other = line(plots[0], "nvidia-t4, predicted");
  ASSERT_NE(other, nullptr);
  EXPECT_FALSE(other->marks) << "nothing was measured there";
  ASSERT_EQ(other->points.size(), 2u);
  EXPECT_DOUBLE_EQ(other->points[0].y, 1.0);
  EXPECT_DOUBLE_EQ(other->points[1].y, 1.0);
  EXPECT_EQ(plots[0].y_scale, PlotScale::logarithmic);
  EXPECT_EQ(line(plots[1], "nvidia-t4, predicted"), nullptr) << "a speed-up over what?";
}

TEST(BenchPlot, OneRowIsNoLine) {
  EXPECT_TRUE(bench_plots({made_up_run(1, 1, kAuto, Seconds{1.0})}, {}).empty());
  EXPECT_TRUE(bench_plots({}, {}).empty());
}

}  // namespace
}  // namespace plimsoll
