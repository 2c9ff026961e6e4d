#include "plan/time/step_time.h"

#include <gtest/gtest.h>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "model/zoo/all_models.h"
#include "plan/devices/all_devices.h"
#include "plan/time/data_parallel.h"

namespace plimsoll {
namespace {

struct Wanted {
  std::string network = "resnet18";
  int64_t batch = 16;
  bool trains = true;
  DType dtype = DType::f32;
  int64_t micro_batches = 1;
};

Program program_of(const Wanted& wanted) {
  const auto graph = build_model(wanted.network, {});
  auto program = bind(*graph, {.batch = wanted.batch, .parameters = wanted.dtype, .activations = wanted.dtype});
  StepOptions options{.micro_batches = wanted.micro_batches, .fuse = false};
  if (wanted.trains) options.optimizer = *find_optimizer("momentum");
  auto step = make_step(std::move(*program), options);
  EXPECT_TRUE(step.ok()) << step.error().line();
  return *step;
}

StepTime time_of(const Program& program, const std::string& device, const Execution& execution = {}) {
  const auto time = step_time(program, *find_device(device), execution);
  EXPECT_TRUE(time.ok()) << time.error().line();
  return *time;
}

double seconds(const Wanted& wanted, const std::string& device, Execution execution = {}) {
  if (wanted.dtype != DType::f32) execution.dtype = wanted.dtype;
  return time_of(program_of(wanted), device, execution).total.value;
}

TEST(StepTime, PartsAddUp) {
  const Program program = program_of({});
  const StepTime time = time_of(program, "nvidia-rtx-2080-ti");
  ASSERT_EQ(time.operations.size(), program.operations.size());
  double sum = 0;
  for (const auto& operation : time.operations) sum += operation.seconds.value;
  EXPECT_NEAR(sum, time.total.value, 1e-9);
  EXPECT_NEAR(time.forward.value + time.loss.value + time.backward.value + time.update.value, time.total.value, 1e-12);
  EXPECT_GT(time.backward.value, time.forward.value);
  EXPECT_GT(time.update.value, 0);
  EXPECT_LT(time.launch.value, time.total.value);
}

TEST(StepTime, AnInferenceIsAllForward) {
  const StepTime time = time_of(program_of({.trains = false}), "nvidia-rtx-2080-ti");
  EXPECT_EQ(time.backward.value, 0);
  EXPECT_EQ(time.update.value, 0);
  EXPECT_EQ(time.forward.value, time.total.value);
}

TEST(StepTime, MicroBatchesRepeatThePassAndNotTheUpdate) {
  const StepTime one = time_of(program_of({.batch = 8}), "nvidia-t4");
  const StepTime four = time_of(program_of({.batch = 8, .micro_batches = 4}), "nvidia-t4");
  EXPECT_NEAR(four.forward.value, 4 * one.forward.value, 1e-9);
  EXPECT_NEAR(four.update.value, one.update.value, 0.5 * one.update.value);
}

TEST(StepTime, SmallWorkWaitsForTheHostAndLargeWorkDoesNot) {
  EXPECT_EQ(time_of(program_of({"mobilenet_v2", 1, false}), "nvidia-v100-32gb").bound_by, Bound::launch);
  EXPECT_EQ(time_of(program_of({"vgg16", 64}), "nvidia-v100-32gb").bound_by, Bound::arithmetic);
  EXPECT_EQ(time_of(program_of({"mobilenet_v2", 64}), "nvidia-v100-32gb").bound_by, Bound::bandwidth);
}

TEST(StepTime, LargerBatchesTakeLongerButLessASample) {
  const double one = seconds({.batch = 1}, "nvidia-a100-40gb"), many = seconds({.batch = 64}, "nvidia-a100-40gb");
  EXPECT_GT(many, one);
  EXPECT_LT(many / 64, one);
}

TEST(StepTime, NumberFormatsAreInOrderWhereThereAreUnitsForThem) {
  const Wanted f32{"resnet50", 32}, f16{"resnet50", 32, true, DType::f16}, f64{"resnet50", 32, true, DType::f64};
  EXPECT_LT(seconds(f16, "nvidia-v100-32gb"), 0.7 * seconds(f32, "nvidia-v100-32gb"));
  EXPECT_GT(seconds(f64, "nvidia-rtx-2080-ti"), 8 * seconds(f32, "nvidia-rtx-2080-ti"));
  EXPECT_GT(seconds(f64, "nvidia-rtx-2080-ti"), 2 * seconds(f64, "nvidia-v100-32gb"));
  // Pascal stores f16 and computes in f32.
  EXPECT_GT(seconds(f16, "nvidia-titan-xp"), 0.8 * seconds(f32, "nvidia-titan-xp"));
}

TEST(StepTime, PyTorchUsesTf32ForConvolutionsOnAmpere) {
  const Wanted vgg{"vgg16", 32};
  const double by_default = seconds(vgg, "nvidia-a100-40gb");
  const double everywhere = seconds(vgg, "nvidia-a100-40gb", {.dtype = DType::tf32});
  const double nowhere = seconds(vgg, "nvidia-a100-40gb", {.framework = Framework::torch7});
  EXPECT_LT(everywhere, by_default);
  EXPECT_LT(by_default, nowhere);
}

TEST(StepTime, OlderLibrariesAreSlower) {
  const Wanted vgg{"vgg16", 16};
  const auto with = [&](double cudnn) {
    return seconds(vgg, "nvidia-titan-x-maxwell", {.framework = Framework::torch7, .cudnn = cudnn});
  };
  EXPECT_LT(with(5.1), with(5.0));
  EXPECT_LT(with(5.0), with(4.0));
  EXPECT_LT(with(4.0), with(2.0));
}

TEST(StepTime, MoreThreadsOfACpuAreFaster) {
  const Wanted lenet{"lenet5", 64};
  EXPECT_LT(seconds(lenet, "intel-i7-8700k"), seconds(lenet, "intel-i7-8700k", {.threads = 1}));
}

TEST(StepTime, AnInstanceIsTimedAsItsGpu) { EXPECT_EQ(seconds({}, "aws-g4dn.xlarge"), seconds({}, "nvidia-t4")); }

TEST(StepTime, ADeviceWithoutAPeakIsAUsersMistake) {
  Device device = *find_device("nvidia-t4");
  device.peak.clear();
  const auto time = step_time(program_of({"lenet5", 1, false}), device, {});
  ASSERT_FALSE(time.ok());
  EXPECT_NE(time.error().line().find("peak"), std::string::npos);
}

TEST(StepTime, EveryNetworkOnEveryDeviceIsPositiveAndFinite) {
  const auto devices = all_devices();
  ASSERT_TRUE(devices.ok());
  for (const auto& model : all_models()) {
    const auto graph = build_model(model.name, {});
    auto program = bind(*graph, {.batch = 2});
    const auto step = make_step(std::move(*program), {.fuse = false});
    ASSERT_TRUE(step.ok()) << step.error().line();
    const TimedProgram demands = timed(*step);
    for (const auto& device : *devices) {
      const auto time = step_time(demands, device, {});
      if (device.generation == "tpu") {  // publishes products alone
        EXPECT_FALSE(time.ok());
        continue;
      }
      ASSERT_TRUE(time.ok()) << device.name << ": " << time.error().line();
      EXPECT_GT(time->total.value, 0) << model.name << " on " << device.name;
      EXPECT_LT(time->total.value, 3600) << model.name << " on " << device.name;
    }
  }
}

TEST(DataParallel, SeveralDevicesTakeLongerAStepAndOneTheSame) {
  const TimedProgram demands = timed(program_of({"vgg16", 12}));
  const Device device = *find_device("nvidia-titan-xp");
  const auto with = [&](int64_t devices) { return data_parallel_time(demands, device, {}, devices)->value; };
  const auto one = step_time(demands, device, {});
  EXPECT_DOUBLE_EQ(with(1), one->total.value - one->update.value);
  EXPECT_LT(with(1), with(2));
  EXPECT_LT(with(2), with(4));
}

TEST(TimeParameters, AreWithinWhatMakesSense) {
  for (const auto& parameter : all_time_parameters()) {
    const double value = TimeParameters{}.*parameter.member;
    EXPECT_GE(value, parameter.low) << parameter.name;
    EXPECT_LE(value, parameter.high) << parameter.name;
    EXPECT_FALSE(parameter.meaning.empty()) << parameter.name;
  }
}

}  // namespace
}  // namespace plimsoll
