// Measured rates of convolutions: between and beyond their points, the choice by them, and their place in device files.
#include "plan/devices/conv_rates.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plan/devices/measured_rates_json.h"
#include "plan/devices/read_device.h"
#include "plan/devices/this_device.h"
#include "plan/devices/write_device.h"
#include "tests/made_up_machine.h"

namespace plimsoll {
namespace {

constexpr auto kForward = ConvDirection::forward;

ConvRate row(ConvMethod method, int64_t kernel, int64_t channels, int64_t places, double rate) {
  return {kForward, method, kernel, channels, places, {rate}};
}

ConvLayer layer_of(int64_t kernel, int64_t in, int64_t out, int64_t batch, int64_t side) {
  return {.kernel = kernel, .in = in, .out = out, .batch = batch, .height = side, .width = side};
}

double rate_of(const ConvRates& rates, ConvMethod method, const ConvLayer& layer) {
  const auto rate = rates.rate(kForward, method, layer);
  return rate ? rate->per_second : 0;
}

const ConvRates& square_of_rates() {
  static const ConvRates rates({row(ConvMethod::direct, 3, 16, 64, 10), row(ConvMethod::direct, 3, 16, 1024, 40),
                                row(ConvMethod::direct, 3, 64, 64, 40), row(ConvMethod::direct, 3, 64, 1024, 160)});
  return rates;
}

TEST(ConvRates, AreKeptAtTheirPoints) {
  EXPECT_DOUBLE_EQ(rate_of(square_of_rates(), ConvMethod::direct, layer_of(3, 16, 16, 1, 8)), 10);
  EXPECT_DOUBLE_EQ(rate_of(square_of_rates(), ConvMethod::direct, layer_of(3, 64, 64, 4, 16)), 160);
}

TEST(ConvRates, AreStraightLinesOfLogarithmsBetweenThem) {
  EXPECT_NEAR(rate_of(square_of_rates(), ConvMethod::direct, layer_of(3, 32, 32, 1, 8)), 20, 1e-9);
  EXPECT_NEAR(rate_of(square_of_rates(), ConvMethod::direct, layer_of(3, 16, 16, 4, 8)), 20, 1e-9);
  EXPECT_NEAR(rate_of(square_of_rates(), ConvMethod::direct, layer_of(3, 32, 32, 4, 8)), 40, 1e-9);
}

TEST(ConvRates, StayBeyondTheirPointsButFallWithFewerPlaces) {
  EXPECT_DOUBLE_EQ(rate_of(square_of_rates(), ConvMethod::direct, layer_of(3, 512, 512, 64, 56)), 160);
  EXPECT_DOUBLE_EQ(rate_of(square_of_rates(), ConvMethod::direct, layer_of(3, 3, 16, 1, 8)), 10);
  EXPECT_DOUBLE_EQ(rate_of(square_of_rates(), ConvMethod::direct, layer_of(3, 16, 16, 1, 4)), 2.5);
}

TEST(ConvRates, DirectOnesComputeWholeBlocksOfChannels) {
  EXPECT_DOUBLE_EQ(rate_of(square_of_rates(), ConvMethod::direct, layer_of(3, 8, 8, 1, 8)), 5);
  const ConvRates back({{ConvDirection::grad_data, ConvMethod::direct, 3, 16, 64, {10}}});
  const auto rate = [&](int64_t in) {
    return back.rate(ConvDirection::grad_data, ConvMethod::direct, layer_of(3, in, 16, 1, 8))->per_second;
  };
  EXPECT_DOUBLE_EQ(rate(8), 5);
  EXPECT_DOUBLE_EQ(rate(3), 10) << "a first layer";
}

TEST(ConvRates, UnlikeChannelsCountAsTheirHarmonicMean) {
  EXPECT_DOUBLE_EQ(rate_of(square_of_rates(), ConvMethod::direct, layer_of(3, 40, 160, 4, 16)), 160);  // as 64
}

TEST(ConvRates, OfAnotherKernelAreThoseOfTheNearest) {
  const ConvRates rates({row(ConvMethod::direct, 1, 16, 64, 5), row(ConvMethod::direct, 3, 16, 64, 7)});
  EXPECT_DOUBLE_EQ(rate_of(rates, ConvMethod::direct, layer_of(1, 16, 16, 1, 8)), 5);
  EXPECT_DOUBLE_EQ(rate_of(rates, ConvMethod::direct, layer_of(11, 16, 16, 1, 8)), 7);
}

TEST(ConvRates, TransformsPayForTheRestOfTheirTiles) {
  const ConvRates rates({row(ConvMethod::winograd_4x4, 3, 16, 64, 10)});
  EXPECT_DOUBLE_EQ(rate_of(rates, ConvMethod::winograd_4x4, layer_of(3, 16, 16, 64, 8)), 10);
  EXPECT_DOUBLE_EQ(rate_of(rates, ConvMethod::winograd_4x4, layer_of(3, 16, 16, 64, 7)), 10 * 49.0 / 64);
}

TEST(ConvRates, TransformsAreForSomeLayersOnly) {
  const ConvRates rates({row(ConvMethod::winograd_4x4, 3, 16, 64, 10)});
  const auto none = [&](ConvLayer layer) { return !rates.rate(kForward, ConvMethod::winograd_4x4, layer).has_value(); };
  ConvLayer layer = layer_of(3, 16, 16, 1, 8);
  EXPECT_FALSE(none(layer));
  EXPECT_TRUE(none(layer_of(5, 16, 16, 1, 8)));
  EXPECT_TRUE(none(layer_of(3, 3, 64, 1, 8))) << "fewer channels than were measured";
  layer.stride = 2;
  EXPECT_TRUE(none(layer));
  layer.stride = 1, layer.square = false;
  EXPECT_TRUE(none(layer));
  layer.square = true, layer.groups = 2;
  EXPECT_TRUE(none(layer));
  EXPECT_FALSE(rates.rate(ConvDirection::grad_data, ConvMethod::winograd_4x4, layer_of(3, 16, 16, 1, 8)).has_value());
}

TEST(ConvRates, TheFastestKnownMethodIsTaken) {
  const ConvRates rates({row(ConvMethod::direct, 3, 16, 64, 9), row(ConvMethod::winograd_2x2, 3, 16, 64, 11),
                         row(ConvMethod::winograd_4x4, 3, 16, 64, 12)});
  const auto best = [&](const ConvLayer& layer) { return rates.fastest(kForward, kConvMethods, layer)->method; };
  EXPECT_EQ(best(layer_of(3, 16, 16, 1, 8)), ConvMethod::winograd_4x4);
  EXPECT_EQ(best(layer_of(3, 16, 16, 1, 6)), ConvMethod::winograd_2x2) << "half-empty tiles of four";
  EXPECT_EQ(best(layer_of(3, 16, 16, 1, 1)), ConvMethod::direct);
  EXPECT_EQ(best(layer_of(5, 16, 16, 1, 8)), ConvMethod::direct);
  EXPECT_FALSE(rates.fastest(ConvDirection::grad_data, kConvMethods, layer_of(3, 16, 16, 1, 8)).has_value());
  EXPECT_FALSE(ConvRates().fastest(kForward, kConvMethods, layer_of(3, 16, 16, 1, 8)).has_value());
}

// Its time does not grow with the taps, which the rate counts.
TEST(ConvRates, FftIsForLargeKernelsWhateverTheirTaps) {
  const ConvRates rates({row(ConvMethod::fft, 5, 16, 64, 25)});
  EXPECT_DOUBLE_EQ(rate_of(rates, ConvMethod::fft, layer_of(5, 16, 16, 1, 8)), 25);
  EXPECT_DOUBLE_EQ(rate_of(rates, ConvMethod::fft, layer_of(7, 16, 16, 1, 8)), 49);
  EXPECT_FALSE(rates.rate(kForward, ConvMethod::fft, layer_of(3, 16, 16, 1, 8)).has_value());
}

TEST(ConvRates, DepthwiseLayersHaveRatesOfTheirOwn) {
  const ConvRates rates({row(ConvMethod::direct, 3, 16, 64, 9), row(ConvMethod::depthwise, 3, 32, 64, 2)});
  ConvLayer layer = layer_of(3, 1, 1, 1, 8);
  layer.groups = 32;
  const auto fastest = rates.fastest(kForward, kConvMethods, layer);
  ASSERT_TRUE(fastest.has_value());
  EXPECT_EQ(fastest->method, ConvMethod::depthwise);
  EXPECT_DOUBLE_EQ(fastest->rate.per_second, 2);
}

// -- in a device file

std::string file_with(const std::string& rates) {
  return R"({"name": "mine", "title": "Mine", "vendor": "me", "kind": "cpu",
    "sources": {"s": {"title": "t", "date": "2026"}},
    "peak": {"f32": {"value": 100, "unit": "GFLOP/s", "source": "s"}},
    "memory_bandwidth": {"value": 20, "unit": "GB/s", "source": "s"})" +
         (rates.empty() ? "" : ", \"conv_rates\": " + rates) + "}";
}

std::string mistake(const std::string& rates) {
  const auto device = read_device(file_with(rates));
  return device.ok() ? "" : device.error().line();
}

TEST(ConvRatesInAFile, AreTheSameAfterWritingAndReadingThem) {
  auto device = read_device(file_with(""));
  ASSERT_TRUE(device.ok()) << device.error().line();
  EXPECT_TRUE(device->conv_rates.empty()) << "a file of before";
  device->conv_rates = ConvRates({row(ConvMethod::direct, 3, 16, 64, 1.25e9),
                                  row(ConvMethod::winograd_4x4, 3, 512, 12544, 2e11),
                                  {ConvDirection::grad_weights, ConvMethod::depthwise, 3, 32, 64, {3e9}}});
  device->memory_bound_rates =
      MemoryBoundRates({{MemoryBound::update, Bytes(1 << 20), {2.5e10}}, {MemoryBound::pool, Bytes(7), {1e9}}});
  const auto again = read_device(write_device(*device));
  ASSERT_TRUE(again.ok()) << again.error().line();
  EXPECT_EQ(again->conv_rates, device->conv_rates);
  EXPECT_EQ(again->memory_bound_rates, device->memory_bound_rates);
}

TEST(MemoryBoundRates, AreStraightLinesOfLogarithmsBetweenTheirPointsAndStayBeyond) {
  const MemoryBoundRates rates(
      {{MemoryBound::element, Bytes(1000), {40}}, {MemoryBound::element, Bytes(100'000), {10}}});
  EXPECT_DOUBLE_EQ(rates.rate(MemoryBound::element, 10)->per_second, 40);
  EXPECT_DOUBLE_EQ(rates.rate(MemoryBound::element, 1000)->per_second, 40);
  EXPECT_NEAR(rates.rate(MemoryBound::element, 10'000)->per_second, 20, 1e-9);
  EXPECT_DOUBLE_EQ(rates.rate(MemoryBound::element, 1e9)->per_second, 10);
  EXPECT_FALSE(rates.rate(MemoryBound::update, 1000).has_value());
}

TEST(ConvRatesInAFile, MethodsOfALaterVersionAreLeftOut) {
  const auto device = read_device(file_with(
      R"([{"direction": "forward", "method": "telepathy", "kernel": 3, "at": [[16, 64, 9.5]]},
          {"direction": "forward", "method": "direct", "kernel": 3, "at": [[16, 64, 9.5]]}])"));
  ASSERT_TRUE(device.ok()) << device.error().line();
  EXPECT_EQ(device->conv_rates.rows().size(), 1u);
}

TEST(ConvRatesInAFile, MistakesAreNamed) {
  const auto group = [](const std::string& at, const std::string& direction = "forward") {
    return R"([{"direction": ")" + direction + R"(", "method": "direct", "kernel": 3, "at": )" + at + "}]";
  };
  EXPECT_EQ(mistake(group("[[16, 64, 9.5]]")), "");
  for (const std::string bad :
       {"[[16, 64, -1]]", "[[16, 64, 0]]", "[[16, 64, null]]", "[[16, 64, 1e99]]", "[[16, 64, \"fast\"]]"})
    EXPECT_NE(mistake(group(bad)).find("conv_rates: a rate is"), std::string::npos) << bad << mistake(group(bad));
  EXPECT_NE(mistake(group("[[16, 64]]")).find("a list of 3 numbers"), std::string::npos);
  EXPECT_NE(mistake(group("[[0, 64, 1]]")).find("the channels of a point is 0"), std::string::npos);
  EXPECT_NE(mistake(group("[[16, -64, 1]]")).find("the places of a point is -64"), std::string::npos);
  EXPECT_NE(mistake(group("[[1.5, 64, 1]]")).find("the channels of a point is 1.5"), std::string::npos);
  EXPECT_NE(mistake(group("[[16, 64, 1], [16, 64, 2]]")).find("twice"), std::string::npos);
  EXPECT_NE(mistake(group("{}")).find("no list at"), std::string::npos);
  EXPECT_NE(mistake(group("[]", "sideways")).find("the direction is 'sideways'"), std::string::npos);
  EXPECT_NE(mistake("{}").find("is not a list"), std::string::npos);
  EXPECT_NE(mistake("[7]").find("not an object"), std::string::npos);
  EXPECT_NE(mistake("[{\"at\": []}]").find("has no direction"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
