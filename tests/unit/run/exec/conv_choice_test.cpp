// The engine computes each convolution by the method that the rates of its machine say is fastest, or that it is told.
#include <gtest/gtest.h>

#include "plan/devices/conv_methods.h"
#include "plan/memory/memory_plan.h"
#include "run/exec/onednn/onednn_lowering.h"
#include "run/exec/tiled_conv/tiled_conv.h"
#include "run/measure/conv_speed.h"

namespace plimsoll {
namespace {

constexpr ConvLayer kLayer{.kernel = 3, .in = 32, .out = 32, .batch = 2, .height = 12, .width = 12};

std::shared_ptr<const ConvRates> rates_of(double direct, double winograd_2x2, double winograd_4x4) {
  std::vector<ConvRate> rows;
  for (const auto direction : kConvDirections) {
    rows.push_back({direction, ConvMethod::direct, 3, 16, 64, {direct}});
    rows.push_back({direction, ConvMethod::winograd_2x2, 3, 16, 64, {winograd_2x2}});
    rows.push_back({direction, ConvMethod::winograd_4x4, 3, 16, 64, {winograd_4x4}});
  }
  return std::make_shared<ConvRates>(std::move(rows));
}

using Counts = std::map<ConvMethod, int64_t>;

Counts methods(ConvDirection direction, const ConvLayer& layer, const EngineOptions& engine) {
  auto program = conv_program(direction, layer);
  EXPECT_TRUE(program.ok());
  const auto lowered = onednn_lowering(engine)->lower(*program);
  EXPECT_TRUE(lowered.ok());
  return (*lowered)->conv_methods();
}

EngineOptions engine_of(ConvSetting way, std::shared_ptr<const ConvRates> rates) {
  EngineOptions engine(1, way);
  engine.rates = std::move(rates);
  return engine;
}

class ConvChoice : public testing::TestWithParam<ConvDirection> {};

TEST_P(ConvChoice, IsTheFastestByTheRates) {
  if (tiled_conv_block() == 0) return;  // a machine without such kernels has no choice
  const auto choice = [&](double direct, double two, double four) {
    return methods(GetParam(), kLayer, engine_of(ConvSetting::automatic, rates_of(direct, two, four)));
  };
  EXPECT_EQ(choice(3e9, 2e9, 1e9), (Counts{{ConvMethod::direct, 1}}));
  EXPECT_EQ(choice(2e9, 3e9, 1e9), (Counts{{ConvMethod::winograd_2x2, 1}}));
  EXPECT_EQ(choice(1e9, 2e9, 3e9), (Counts{{ConvMethod::winograd_4x4, 1}}));
}

TEST_P(ConvChoice, IsTheUsersWhereTheUserMakesOne) {
  if (tiled_conv_block() == 0) return;
  const auto fast_direct = rates_of(9e9, 2e9, 1e9);
  EXPECT_EQ(methods(GetParam(), kLayer, engine_of(ConvSetting::winograd, fast_direct)),
            (Counts{{ConvMethod::winograd_2x2, 1}}));
  EXPECT_EQ(methods(GetParam(), kLayer, engine_of(ConvSetting::direct, rates_of(1e9, 2e9, 3e9))),
            (Counts{{ConvMethod::direct, 1}}));
}

TEST_P(ConvChoice, WithoutRatesFollowsTheWayAndTheNumberOfPlaces) {
  if (tiled_conv_block() == 0) return;
  ConvLayer few = kLayer, many = kLayer;
  few.batch = few.height = few.width = 1;
  many.batch = 16;
  EXPECT_EQ(methods(GetParam(), few, engine_of(ConvSetting::automatic, nullptr)), (Counts{{ConvMethod::direct, 1}}));
  EXPECT_EQ(methods(GetParam(), many, engine_of(ConvSetting::automatic, nullptr)),
            (Counts{{ConvMethod::winograd_4x4, 1}}));
  EXPECT_EQ(methods(GetParam(), few, engine_of(ConvSetting::winograd, nullptr)),
            (Counts{{ConvMethod::winograd_2x2, 1}}));
  EXPECT_EQ(methods(GetParam(), many, engine_of(ConvSetting::winograd, nullptr)),
            (Counts{{ConvMethod::winograd_4x4, 1}}));
  EXPECT_EQ(methods(GetParam(), kLayer, engine_of(ConvSetting::direct, nullptr)), (Counts{{ConvMethod::direct, 1}}));
}

TEST_P(ConvChoice, OtherLayersAreDirect) {
  for (ConvLayer layer : {ConvLayer{.kernel = 5, .in = 32, .out = 32, .batch = 1, .height = 8, .width = 8},
                          ConvLayer{.kernel = 3, .stride = 2, .in = 32, .out = 32, .height = 8, .width = 8},
                          ConvLayer{.kernel = 1, .in = 32, .out = 32, .batch = 1, .height = 8, .width = 8}})
    EXPECT_EQ(methods(GetParam(), layer, engine_of(ConvSetting::winograd, nullptr)), (Counts{{ConvMethod::direct, 1}}));
}

TEST_P(ConvChoice, LargeKernelsGoByFftWhereItIsFaster) {
  if (tiled_conv_block() == 0) return;
  const ConvLayer layer{.kernel = 5, .in = 32, .out = 32, .batch = 1, .height = 14, .width = 14};
  const auto choice = [&](double direct, double fft) {
    const std::vector<ConvRate> rows{{GetParam(), ConvMethod::direct, 5, 32, 196, {direct}},
                                     {GetParam(), ConvMethod::fft, 5, 32, 196, {fft}}};
    return methods(GetParam(), layer, engine_of(ConvSetting::automatic, std::make_shared<ConvRates>(rows)));
  };
  EXPECT_EQ(choice(1e9, 2e9), (Counts{{ConvMethod::fft, 1}}));
  EXPECT_EQ(choice(2e9, 1e9), (Counts{{ConvMethod::direct, 1}}));
}

INSTANTIATE_TEST_SUITE_P(Directions, ConvChoice, testing::ValuesIn(kConvDirections),
                         [](const auto& info) { return std::string(name_of(info.param)); });

TEST(ConvSpeed, EveryDirectionOfTheDirectWayIsMeasured) {
  // 16 channels only, one run each
  const auto rates = measure_conv_speed(1, {.each = {1, {0}}, .rounds = 1, .most_rounds = 1, .every = 6});
  ASSERT_TRUE(rates.ok()) << rates.error().line();
  for (const auto direction : kConvDirections) {
    EXPECT_TRUE(rates->rate(direction, ConvMethod::direct, kLayer).has_value());
    EXPECT_EQ(rates->rate(direction, ConvMethod::winograd_4x4, kLayer).has_value(), tiled_conv_block() > 0);
    ConvLayer depthwise = kLayer;
    depthwise.groups = 32, depthwise.in = depthwise.out = 1;
    EXPECT_TRUE(rates->rate(direction, ConvMethod::depthwise, depthwise).has_value());
  }
  for (const auto& row : rates->rows()) EXPECT_GT(row.rate.per_second, 0);
}

}  // namespace
}  // namespace plimsoll
