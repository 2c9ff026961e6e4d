// Buckets beside the backward pass, on steps small enough to follow by hand.
#include "plan/time/exchange_time.h"

#include <gtest/gtest.h>

#include "model/ir/bind.h"
#include "model/optim/all_optimizers.h"
#include "model/passes/pipeline.h"
#include "model/zoo/all_models.h"

namespace plimsoll {
namespace {

// A forward pass of 1 s, a backward pass of three operations of 1 s that each complete a gradient of 100 bytes, an
// update of 1 s.
struct SmallStep {
  TimedProgram program;
  StepTime time;

  SmallStep() {
    for (const Phase phase : {Phase::forward, Phase::backward, Phase::backward, Phase::backward, Phase::update}) {
      program.operations.push_back({.work = Work::element, .phase = phase});
      time.operations.push_back({.seconds = {1}});
    }
    program.gradients = {{3, 100}, {1, 100}, {2, 100}};  // in the order of the parameters, not of the pass
  }
};

// On two workers a ring moves each byte once: 100 bytes take 100 / rate.
Wiring two_workers(double rate) {
  const Link link = link_of_rate("made up", {rate}, {0});
  return {1, link, link};
}

const ExchangeRule kOneByOne{.first = Bytes(1), .bucket = Bytes(1)};

TEST(ExchangeTime, TheLastBucketIsNeverHidden) {
  const SmallStep step;
  const auto exchange = exchange_gradients(step.program, step.time, 2, two_workers(200), kOneByOne);
  EXPECT_EQ(exchange.buckets, 3);
  EXPECT_EQ(exchange.bytes.value(), 300);
  EXPECT_DOUBLE_EQ(exchange.alone.value, 1.5);
  EXPECT_DOUBLE_EQ(exchange.exposed.value, 0.5);
  EXPECT_DOUBLE_EQ(exchange.hidden(), 2.0 / 3);
}

// Ready after 2, 3 and 4 s, 2 s each: the channel is done after 8 s, the backward pass after 4.
TEST(ExchangeTime, OneChannelSendsOneBucketAfterAnother) {
  const SmallStep step;
  const auto exchange = exchange_gradients(step.program, step.time, 2, two_workers(50), kOneByOne);
  EXPECT_DOUBLE_EQ(exchange.alone.value, 6);
  EXPECT_DOUBLE_EQ(exchange.exposed.value, 4);
}

// 300 bytes at 0.001 s: 0.3 s of computing, behind which as much of the last bucket hides.
TEST(ExchangeTime, WhatCoresDoForItTheyDoNotCompute) {
  const SmallStep step;
  ExchangeRule rule = kOneByOne;
  rule.core = 0.001;
  const auto exchange = exchange_gradients(step.program, step.time, 2, two_workers(200), rule);
  EXPECT_DOUBLE_EQ(exchange.core.value, 0.3);
  EXPECT_DOUBLE_EQ(exchange.exposed.value, 0.5);
  EXPECT_DOUBLE_EQ(exchange.hidden(), 1 - 0.2 / exchange.alone.value);  // only what is waited for counts
  rule.core = 0.002;
  EXPECT_DOUBLE_EQ(exchange_gradients(step.program, step.time, 2, two_workers(200), rule).exposed.value, 0.6);
}

TEST(ExchangeTime, OnlyACpuComputesForIt) {
  Device device;
  device.kind = DeviceKind::gpu;
  device.cores = Count(4);
  device.memory_bandwidth = BytesPerSecond{40e9};
  EXPECT_EQ(exchange_core_time(device, std::nullopt, false), 0);
  device.kind = DeviceKind::cpu;
  EXPECT_DOUBLE_EQ(exchange_core_time(device, std::nullopt, false), 6 / 40e9);
  EXPECT_DOUBLE_EQ(exchange_core_time(device, 1, false), 6 / 10e9);
  device.core_bandwidth = BytesPerSecond{20e9};
  EXPECT_DOUBLE_EQ(exchange_core_time(device, 1, false), 6 / 20e9);
  EXPECT_DOUBLE_EQ(exchange_core_time(device, 1, true), 22 / 20e9);
}

TEST(ExchangeTime, OneLargeBucketWaitsForTheLastGradient) {
  const SmallStep step;
  const auto exchange =
      exchange_gradients(step.program, step.time, 2, two_workers(50), {.first = Bytes(1000), .bucket = Bytes(1000)});
  EXPECT_EQ(exchange.buckets, 1);
  EXPECT_DOUBLE_EQ(exchange.exposed.value, 6);
}

TEST(ExchangeTime, ASmallFirstBucketBeginsEarly) {
  const SmallStep step;
  const auto exchange =
      exchange_gradients(step.program, step.time, 2, two_workers(100), {.first = Bytes(100), .bucket = Bytes(150)});
  EXPECT_EQ(exchange.buckets, 2);  // 100, then 200 bytes
  EXPECT_DOUBLE_EQ(exchange.exposed.value, 2);
}

TEST(ExchangeTime, HalfTheBytesOnTheWire) {
  const SmallStep step;
  ExchangeRule rule = kOneByOne;
  rule.wire = 0.5;
  EXPECT_DOUBLE_EQ(exchange_gradients(step.program, step.time, 2, two_workers(50), rule).exposed.value, 1);
}

TEST(ExchangeTime, ACycleDelaysByHalfOfIt) {
  const SmallStep step;
  ExchangeRule rule = kOneByOne;
  rule.cycle = {0.2};
  EXPECT_DOUBLE_EQ(exchange_gradients(step.program, step.time, 2, two_workers(200), rule).exposed.value, 0.6);
}

TEST(ExchangeTime, NothingForOneWorkerOrAnInference) {
  SmallStep step;
  EXPECT_EQ(exchange_gradients(step.program, step.time, 1, two_workers(50), {}).exposed.value, 0);
  step.program.gradients.clear();
  EXPECT_EQ(exchange_gradients(step.program, step.time, 8, two_workers(50), {}).exposed.value, 0);
}

// Every parameter that is updated has its gradient, complete before the updates begin.
TEST(ExchangeTime, AStepOfTheZooHasAllItsGradients) {
  for (const int64_t micro_batches : {1, 2}) {
    const Graph graph = *build_model("resnet18", {});
    StepOptions options;
    options.optimizer = *find_optimizer("momentum");
    options.micro_batches = micro_batches;
    const TimedProgram program = timed(*make_step(*bind(graph, {.batch = 2}), options));
    double bytes = 0;
    for (const auto& gradient : program.gradients) {
      bytes += gradient.bytes;
      EXPECT_EQ(program.operations[gradient.operation].phase, Phase::backward);
    }
    EXPECT_EQ(program.gradients.size(), size_t(program.parameter_tensors));
    EXPECT_EQ(bytes, program.parameter_bytes);
  }
}

}  // namespace
}  // namespace plimsoll
