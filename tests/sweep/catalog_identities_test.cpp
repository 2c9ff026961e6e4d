// Figures of the catalog against each other: a number that says how it was derived is computed again from its own
// words, and what it was derived from is what the file says elsewhere.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <set>

#include "plan/devices/all_devices.h"

namespace plimsoll {
namespace {

constexpr std::string_view kDerived = "derived: ";

struct Unit {
  const char* name;
  double size;
};
// The longest first, where one begins as another.
constexpr Unit kUnits[] = {{"PFLOP/s", 1e15}, {"TFLOP/s", 1e12}, {"GFLOP/s", 1e9}, {"POP/s", 1e15},
                           {"TOP/s", 1e12},   {"GOP/s", 1e9},    {"GT/s", 1e9},    {"MT/s", 1e6},
                           {"GB/s", 1e9},     {"MB/s", 1e6},     {"MHz", 1e6},     {"GHz", 1e9},
                           {"GiB", 0x1p30},   {"MiB", 0x1p20},   {"KiB", 0x1p10},  {"GB", 1e9}};

double unit_of(const std::string& words) {
  for (const auto& unit : kUnits)
    if (words.find(unit.name) != std::string::npos) return unit.size;
  return 1;
}

double peak_in(const Device& device, const std::string& field, DType type) {
  const auto& own = field.starts_with("matrix_peak") ? device.matrix_peak : device.peak;
  const auto found = own.find(type);
  if (found != own.end()) return found->second.per_second;
  return device.peak.contains(type) ? device.peak.at(type).per_second : NAN;
}

// "2560 cores × 2 × 1590 MHz", "f32 × 2", "16 lanes × 16 GT/s × 128/130 / 8": a product, quotient or sum of numbers,
// each with words that say what it counts. nullopt: it is in words only.
std::optional<double> computed(const Device& device, const std::string& field, std::string text) {
  const size_t comma = text.find(", ");
  if (comma != std::string::npos) text.resize(comma);
  static const std::regex kFactor(R"((^|×|/|\+)\s*(f\d+\w*|tf32|bf16|int8|[\d.]+)([^×/+\d]*(?:/s)?[^×/+\d]*))");
  double sum = 0, product = 1;
  size_t used = 0;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), kFactor); at != std::sregex_iterator(); ++at) {
    const std::string sign = (*at)[1], number = (*at)[2];
    const auto type = dtype_named(number == "int8" ? "int8" : number);
    double factor = type && !std::isdigit(static_cast<unsigned char>(number[0]))
                        ? peak_in(device, field, *type)
                        : std::stod(number) * unit_of((*at)[3]);
    if (sign == "+") sum += product, product = factor;
    else product = sign == "/" ? product / factor : product * factor;
    ++used;
  }
  return used < 2 ? std::nullopt : std::optional(sum + product);
}

std::vector<Device> catalog() {
  auto devices = all_devices();
  EXPECT_TRUE(devices.ok()) << devices.error().line();
  return devices.ok() ? *std::move(devices) : std::vector<Device>();
}

TEST(CatalogIdentities, DerivedFiguresAreWhatTheyAreDerivedFrom) {
  int checked = 0;
  for (const Device& device : catalog()) {
    for (const auto& figure : device.figures) {
      if (!figure.source.starts_with(kDerived)) continue;
      const auto value = computed(device, figure.field, figure.source.substr(kDerived.size()));
      if (!value) continue;
      SCOPED_TRACE(device.name + " " + figure.field + ": " + figure.source);
      ++checked;
      EXPECT_NEAR(figure.value * unit_of(figure.unit) / *value, 1, 0.006);
    }
  }
  EXPECT_GT(checked, 700);
}

// A derivation speaks of the cores, units and clock that the file has.
TEST(CatalogIdentities, DerivationsUseTheFilesOwnCounts) {
  static const std::regex kCores(R"(derived: (\d+) (?:cores|stream processors) × .* × (\d+) MHz$)");
  static const std::regex kUnitsOf(R"(derived: (\d+) (?:SMs|compute units|Xe cores) × .* × (\d+) MHz$)");
  int checked = 0;
  for (const Device& device : catalog()) {
    if (device.kind != DeviceKind::gpu) continue;
    for (const auto& figure : device.figures) {
      SCOPED_TRACE(device.name + " " + figure.field);
      std::smatch match;
      const bool cores = std::regex_match(figure.source, match, kCores);
      if (!cores && !std::regex_match(figure.source, match, kUnitsOf)) continue;
      const auto& count = cores ? device.cores : device.units;
      if (count) {
        EXPECT_EQ(count->value(), std::stoll(match[1]));
      }
      if (device.boost_clock) {
        EXPECT_EQ(device.boost_clock->per_second, std::stod(match[2]) * 1e6);
      }
      ++checked;
    }
  }
  EXPECT_GT(checked, 250);
}

// Data sheets round: to a tenth of a Gbit/s, to a whole GB/s.
TEST(CatalogIdentities, BandwidthIsBusTimesRate) {
  int checked = 0;
  for (const Device& device : catalog()) {
    SCOPED_TRACE(device.name);
    const Figure *bus = device.figure("memory_bus"), *rate = device.figure("memory_rate");
    ASSERT_EQ(bus == nullptr, rate == nullptr);
    if (!bus) continue;
    ASSERT_EQ(bus->unit, "bit");
    ASSERT_EQ(rate->unit, "Gbit/s");
    ++checked;
    EXPECT_NEAR(device.memory_bandwidth->per_second / (bus->value * rate->value * 1e9 / 8), 1, 0.008);
  }
  EXPECT_GT(checked, 100);
}

// Published peaks are the general units' at the boost clock: two operations a core and cycle, four or eight where a
// data sheet counts packed or doubled pipes.
TEST(CatalogIdentities, F32PeakIsAWholeNumberOfOperationsACycle) {
  for (const Device& device : catalog()) {
    if (device.kind != DeviceKind::gpu || !device.cores || !device.boost_clock) continue;
    SCOPED_TRACE(device.name);
    const double cycle = double(device.cores->value()) * device.boost_clock->per_second;
    const double each = device.peak.at(DType::f32).per_second / cycle;
    const double nearest = each < 3 ? 2 : each < 6 ? 4 : 8;
    EXPECT_NEAR(each / nearest, 1, 0.02);
  }
}

// A card that is sold in one memory size has a name without it; every card that was asked for is there.
TEST(CatalogIdentities, HasTheCardsOfToday) {
  for (const char* name : {"nvidia-rtx-3090-ti",
                           "nvidia-rtx-4060-ti",
                           "nvidia-rtx-4070-super",
                           "nvidia-rtx-4080-super",
                           "nvidia-rtx-pro-6000",
                           "nvidia-rtx-pro-6000-server",
                           "nvidia-rtx-pro-6000-max-q",
                           "nvidia-rtx-5060-ti",
                           "nvidia-a2",
                           "nvidia-a16",
                           "nvidia-l40",
                           "nvidia-h20",
                           "nvidia-h200-nvl",
                           "nvidia-b300",
                           "nvidia-gb200",
                           "nvidia-gb300",
                           "nvidia-rtx-2000-ada",
                           "nvidia-rtx-4000-ada",
                           "amd-mi100",
                           "amd-mi250",
                           "amd-mi300a",
                           "amd-mi355x",
                           "amd-rx-5700-xt",
                           "amd-rx-6700-xt",
                           "amd-rx-7900-xtx",
                           "amd-rx-9070-xt",
                           "intel-arc-a770",
                           "intel-arc-b580",
                           "intel-arc-b60",
                           "apple-m3",
                           "apple-m3-pro",
                           "apple-m3-max",
                           "apple-m3-ultra",
                           "apple-m4",
                           "apple-m4-pro",
                           "apple-m4-max",
                           "nvidia-dgx-spark",
                           "nvidia-jetson-agx-orin",
                           "google-tpu-v4",
                           "google-tpu-v5e",
                           "google-tpu-v5p",
                           "google-tpu-v6e"}) {
    const auto device = find_device(name);
    EXPECT_TRUE(device.ok()) << device.error().line();
  }
  std::set<std::string> clouds;
  for (const Device& device : catalog())
    if (device.kind == DeviceKind::instance) clouds.insert(device.vendor);
  for (const char* cloud : {"aws", "azure", "gcp", "lambda", "runpod"}) EXPECT_TRUE(clouds.contains(cloud)) << cloud;
}

}  // namespace
}  // namespace plimsoll
