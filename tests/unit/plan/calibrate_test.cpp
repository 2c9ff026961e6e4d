#include "plan/devices/calibrate.h"

#include <gtest/gtest.h>

#include "model/ir/bind.h"
#include "model/passes/pipeline.h"
#include "model/zoo/all_models.h"
#include "plan/devices/all_devices.h"
#include "plan/devices/read_device.h"
#include "plan/devices/write_device.h"
#include "plan/time/reachable.h"
#include "plan/time/step_time.h"
#include "plan/verdict/measured_runs.h"

namespace plimsoll {
namespace {

TimedProgram inference(const std::string& network, int64_t batch) {
  const auto graph = build_model(network, {});
  auto program = bind(*graph, {.batch = batch, .parameters = DType::f16, .activations = DType::f16});
  return timed(*make_step(std::move(*program), {.fuse = false}));
}

TEST(Calibrate, WritesAFileThatReadsBack) {
  const auto card = calibrated(*find_device("nvidia-rtx-3090"), {.gemm = FlopsPerSecond{61e12},
                                                                 .bandwidth = BytesPerSecond{800e9},
                                                                 .source = "measured with torch.matmul",
                                                                 .date = "2025-03"});
  ASSERT_TRUE(card.ok()) << card.error().line();
  const auto again = read_device(write_device(*card));
  ASSERT_TRUE(again.ok()) << again.error().line();
  EXPECT_NEAR(again->gemm_rate.at(DType::f16).per_second, 61e12, 1e6);
  EXPECT_NEAR(again->reached_bandwidth->per_second, 800e9, 1e3);
  EXPECT_EQ(again->figure("gemm_rate.f16")->source, "calibration");
}

TEST(Calibrate, RefusesWhatNoSuchCardReaches) {
  const Device card = *find_device("nvidia-rtx-3090");
  EXPECT_FALSE(calibrated(card, {.gemm = FlopsPerSecond{61e15}, .source = "s", .date = "2025"}).ok());
  EXPECT_FALSE(calibrated(card, {.bandwidth = BytesPerSecond{9e12}, .source = "s", .date = "2025"}).ok());
  EXPECT_FALSE(calibrated(card, {.source = "s", .date = "2025"}).ok());
  EXPECT_FALSE(calibrated(card, {.gemm = FlopsPerSecond{0}, .source = "s", .date = "2025"}).ok());
  EXPECT_FALSE(calibrated(card, {.gemm = FlopsPerSecond{61e9}, .source = "s", .date = "2025"}).ok());
  EXPECT_FALSE(
      calibrated(*find_device("aws-g5.xlarge"), {.gemm = FlopsPerSecond{1e12}, .source = "s", .date = "2025"}).ok());
}

TEST(Calibrate, TakesACpuToo) {
  const Device cpu = *find_device("intel-i7-8700k");
  const auto slower = calibrated(cpu, {.gemm = FlopsPerSecond{0.5 * cpu.peak.at(DType::f32).per_second},
                                       .format = DType::f32,
                                       .source = "s",
                                       .date = "2025"});
  ASSERT_TRUE(slower.ok()) << slower.error().line();
  const TimedProgram step = inference("vgg16", 4);
  const Execution torch{.framework = Framework::pytorch};
  EXPECT_GT(step_time(step, *slower, torch)->total.value, 1.3 * step_time(step, cpu, torch)->total.value);
}

TEST(Calibrate, RunsThatContradictEachOtherAreRefused) {
  const Device card = *find_device("nvidia-rtx-3090");
  const TimedProgram program = inference("resnet50", 256);
  const Execution execution{.dtype = DType::f16};
  const Seconds step = step_time(program, card, execution)->total;
  const auto repeated = calibrate_from_runs(
      card, {{"resnet50:256", &program, execution, step}, {"resnet50:256", &program, execution, {3 * step.value}}},
      "2025");
  ASSERT_FALSE(repeated.ok());
  EXPECT_NE(repeated.error().line().find("contradict each other"), std::string::npos);
  const auto alone = calibrate_from_runs(card, {{"resnet50:256", &program, execution, {0.02 * step.value}}}, "2025");
  ASSERT_FALSE(alone.ok());
  EXPECT_NE(alone.error().line().find("is it another device"), std::string::npos);
}

TEST(Calibrate, OneRunMovesBothNumbersMostOfTheWay) {
  const Device card = *find_device("nvidia-rtx-3090");
  const TimedProgram program = inference("resnet50", 256);
  const Execution execution{.dtype = DType::f16};
  const Seconds step = step_time(program, card, execution)->total;
  const auto found = calibrate_from_runs(card, {{"resnet50:256", &program, execution, {1.3 * step.value}}}, "2025");
  ASSERT_TRUE(found.ok()) << found.error().line();
  const double slower = step_time(program, found->device, execution)->total.value / step.value;
  EXPECT_GT(slower, 1.15);
  EXPECT_LT(slower, 1.3);
}

// Steps of a card that is slower than its data sheet says, in two ways, lead back to both numbers.
TEST(Calibrate, FindsBothNumbersFromSteps) {
  const Device card = *find_device("nvidia-rtx-3090");
  const Reachable sheet(card);
  const auto slower = calibrated(card, {.gemm = FlopsPerSecond{sheet.matrix(DType::f16) * 0.7},
                                        .bandwidth = BytesPerSecond{sheet.bandwidth() * kCopyShare * 0.85},
                                        .source = "made up",
                                        .date = "2025"});
  ASSERT_TRUE(slower.ok()) << slower.error().line();
  const Execution execution{.dtype = DType::f16};
  std::vector<TimedProgram> programs;
  for (const char* network :
       {"vgg16", "resnet50", "mobilenet_v2", "vit_b_16", "densenet121", "resnet18", "convnext_tiny", "efficientnet_b0"})
    programs.push_back(inference(network, 256));
  std::vector<MeasuredRun> runs;
  for (const auto& program : programs)
    runs.push_back(
        {"step " + std::to_string(runs.size()), &program, execution, step_time(program, *slower, execution)->total});
  const auto found = calibrate_from_runs(card, runs, "2025-03");
  ASSERT_TRUE(found.ok()) << found.error().line();
  EXPECT_LT(median_error(found->after, runs), 0.02);
  EXPECT_GT(median_error(found->before, runs), 0.1);
  EXPECT_NEAR(Reachable(found->device).matrix(DType::f16) / Reachable(*slower).matrix(DType::f16), 1, 0.06);
  EXPECT_NEAR(Reachable(found->device).bandwidth() / Reachable(*slower).bandwidth(), 1, 0.06);
}

}  // namespace
}  // namespace plimsoll
