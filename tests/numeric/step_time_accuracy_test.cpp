// Predicted step times against every published measurement that they are held to.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "plan/time/accuracy.h"
#include "tests/accuracy/accuracy_table.h"
#include "tests/accuracy/measured_scaling.h"
#include "tests/accuracy/modern_chapter.h"
#include "tests/accuracy/two_workers.h"

namespace plimsoll {
namespace {

const std::vector<ComparedStep>& compared() {
  static const auto steps = compare_steps();
  return steps;
}

const std::vector<ComparedScaling>& scaled() {
  static const auto runs = compare_scaling();
  return runs;
}

std::vector<double> efficiency_ratios(const std::string& source) {
  std::vector<double> found;
  for (const auto& run : scaled())
    if (run.efficiency && run.source.starts_with(source)) found.push_back(run.predicted_efficiency / *run.efficiency);
  return found;
}

std::string label(const MeasuredStep& step) {
  return step.source + " " + step.network + " on " + std::to_string(step.devices) + " " + step.device + " " +
         std::string(name_of(step.execution.dtype)) + (step.trains ? " train" : " inference");
}

std::vector<double> ratios(bool target, const std::string& source = "") {
  std::vector<double> found;
  for (const auto& step : compared())
    if (step.step.target == target && (source.empty() || step.step.source == source)) found.push_back(step.ratio());
  return found;
}

std::string text_of(const std::string& path) {
  std::ifstream in(std::string(PLIM_TEST_DATA) + "/../../" + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(StepTimeAccuracy, AllRowsAreThere) {
  EXPECT_EQ(ratios(true, "jcjohnson").size(), 76u);
  EXPECT_EQ(ratios(true, "soumith").size(), 11u);
  EXPECT_EQ(ratios(true, "ryujaehun").size(), 1626u);
  EXPECT_EQ(ratios(false, "jcjohnson").size(), 8u);
  EXPECT_EQ(ratios(false, "catsdogs").size(), 2u);
}

TEST(StepTimeAccuracy, MedianErrorIsAtMost15Percent) {
  EXPECT_LE(errors_of(ratios(true)).median, 0.15);
  EXPECT_LE(errors_of(ratios(true, "jcjohnson")).median, 0.15);
  EXPECT_LE(errors_of(ratios(true, "ryujaehun")).median, 0.15);
}

TEST(StepTimeAccuracy, NoRowIsFurtherOffThanTwoAndAHalf) {
  for (const auto& step : compared()) {
    if (!step.step.target) continue;
    EXPECT_GE(step.ratio(), 1 / 2.5) << label(step.step);
    EXPECT_LE(step.ratio(), 2.5) << label(step.step);
  }
}

TEST(StepTimeAccuracy, CatsAndDogsWithin30Percent) {
  for (const double ratio : ratios(false, "catsdogs")) EXPECT_NEAR(ratio, 1, 0.3);
}

TEST(StepTimeAccuracy, XeonRowsWithin30Percent) {
  for (const double ratio : ratios(false, "jcjohnson")) EXPECT_NEAR(ratio, 1, 0.3);
}

TEST(StepTimeAccuracy, ForwardShareIsRight) {
  std::vector<double> forward;
  for (const auto& step : compared())
    if (step.step.target && step.step.forward > 0) forward.push_back(step.predicted.forward / step.step.forward);
  EXPECT_EQ(forward.size(), 87u);
  EXPECT_LE(errors_of(forward).median, 0.15);
}

TEST(StepTimeAccuracy, PrintedTableIsOfThisModel) {
  EXPECT_EQ(text_of("src/plan/time/accuracy_table.inc"), accuracy_table(compared())) << "run make accuracy";
  EXPECT_EQ(step_time_accuracy().back().rows, int64_t(ratios(true).size()));
}

TEST(StepTimeAccuracy, DocumentIsOfThisModel) {
  EXPECT_EQ(text_of("docs/accuracy.md"),
            accuracy_document(compared(), modern_chapter() + scaling_chapter(compared(), scaled()) +
                                              two_workers_chapter(compare_two_workers())))
      << "run make accuracy";
}

// Of runs that nothing was fitted to.
TEST(ScalingAccuracy, EfficiencyOfPublishedRuns) {
  EXPECT_EQ(efficiency_ratios("").size(), 61u);
  EXPECT_LE(errors_of(efficiency_ratios("")).median, 0.06);
  EXPECT_LE(errors_of(efficiency_ratios("")).worst, 1.5);
  EXPECT_LE(errors_of(efficiency_ratios("TensorFlow")).median, 0.05);
  EXPECT_LE(errors_of(efficiency_ratios("Horovod")).median, 0.1);
}

// On a P100 steps are predicted well enough to hold images per second too.
TEST(ScalingAccuracy, ImagesASecondOfADgx1) {
  for (const auto& run : scaled())
    if (run.source.find("DGX-1") != std::string::npos && run.network != "alexnet") {
      EXPECT_NEAR(run.predicted_images / *run.images, 1, 0.35) << run.network << " on " << run.workers;
    }
}

TEST(ScalingAccuracy, SpeedUpOfDataParallel) {
  for (const int64_t devices : {2, 3, 4}) EXPECT_EQ(speed_up_ratios(compared(), devices, true).size(), 192u);
  EXPECT_LE(errors_of(speed_up_ratios(compared(), 2, true)).median, 0.1);
  EXPECT_LE(errors_of(speed_up_ratios(compared(), 4, true)).median, 0.15);
}

TEST(ScalingAccuracy, PrintedTableIsOfThisModel) {
  EXPECT_EQ(text_of("src/plan/time/scaling_accuracy_table.inc"), scaling_table(compared(), scaled()))
      << "run make accuracy";
  EXPECT_EQ(scaling_accuracy().back().rows, 61);
}

}  // namespace
}  // namespace plimsoll
