// Predictions for our engine on a machine whose kernels were measured follow those rates.
#include <gtest/gtest.h>

#include "plan/time/cpu_time.h"

namespace plimsoll {
namespace {

Device some_device() {
  Device device;
  device.kind = DeviceKind::cpu;
  device.peak[DType::f32] = {100e9};
  device.memory_bandwidth = BytesPerSecond{10e9};
  device.conv_rates = ConvRates({{ConvDirection::forward, ConvMethod::direct, 3, 16, 64, {50e9}},
                                 {ConvDirection::forward, ConvMethod::winograd_4x4, 3, 16, 64, {200e9}}});
  device.memory_bound_rates = MemoryBoundRates({{MemoryBound::element, Bytes(1000), {40e9}}});
  return device;
}

TimedOperation convolution() {
  TimedOperation operation{.work = Work::convolution, .flops = 1e12};
  operation.conv = ConvLayer{.kernel = 3, .in = 64, .out = 64, .batch = 1, .height = 64, .width = 64};
  return operation;
}

double seconds(const Device& device, const Execution& execution, const TimedOperation& operation) {
  const TimeParameters parameters;
  return CpuTime(device, execution, parameters)(operation).seconds.value;
}

TEST(MeasuredRatesTime, TheFastestAllowedMethodSetsTheTime) {
  const Device device = some_device();
  Execution execution{.framework = Framework::plimsoll};
  EXPECT_NEAR(seconds(device, execution, convolution()), 5, 1e-3);
  execution.conv_methods = {ConvMethod::direct, ConvMethod::depthwise};
  EXPECT_NEAR(seconds(device, execution, convolution()), 20, 1e-3);
  execution.conv_methods = {ConvMethod::winograd_4x4};
  TimedOperation strided = convolution();
  strided.conv->stride = 2;
  EXPECT_NEAR(seconds(device, execution, strided), 20, 1e-3) << "direct, where no allowed method computes it";
}

TEST(MeasuredRatesTime, TheLastBlockOfChannelsIsComputedWhole) {
  Device device = some_device();
  const Execution execution{.framework = Framework::plimsoll, .conv_methods = {ConvMethod::direct}};
  TimedOperation few = convolution();  // the same operations, but 60 of 64 channels are asked for
  few.conv->in = few.conv->out = 60;
  EXPECT_NEAR(seconds(device, execution, few), 20 * 64.0 * 64 / (60 * 60), 1e-2);
  few.conv->in = few.conv->out = 72;
  EXPECT_NEAR(seconds(device, execution, few), 20, 1e-2);
  device.instruction_sets = {"avx512f"};  // blocks of 16
  EXPECT_NEAR(seconds(device, execution, few), 20 * 80.0 * 80 / (72 * 72), 1e-2);
  few.conv->in = 3;  // a picture's colours
  EXPECT_NEAR(seconds(device, execution, few), 20 * 80.0 / 72, 1e-2);
}

TEST(MeasuredRatesTime, AProductGoesByTheMeanOfItsSides) {
  Device device = some_device();
  device.conv_rates = ConvRates({{ConvDirection::forward, ConvMethod::product, 1, 16, 1024, {50e9}},
                                 {ConvDirection::forward, ConvMethod::product, 1, 64, 1024, {100e9}}});
  TimedOperation product{.work = Work::product, .flops = 1e12};
  product.product = {.rows = 256, .columns = 1024, .depth = 16};
  EXPECT_NEAR(seconds(device, {.framework = Framework::plimsoll}, product), 10, 1e-2);
}

TEST(MeasuredRatesTime, SweepsFollowTheirBandwidth) {
  const TimedOperation sum{.work = Work::element, .flops = 1e9, .bytes = 40e9};
  EXPECT_NEAR(seconds(some_device(), {.framework = Framework::plimsoll}, sum), 1, 1e-3);
}

TEST(MeasuredRatesTime, OtherSoftwareDoesNotReadThem) {
  Device plain = some_device();
  plain.conv_rates = {};
  plain.memory_bound_rates = {};
  const Execution pytorch{.framework = Framework::pytorch};
  EXPECT_EQ(seconds(some_device(), pytorch, convolution()), seconds(plain, pytorch, convolution()));
}

}  // namespace
}  // namespace plimsoll
