// A device file of one's own: few fields, and errors that name the right one.
#include <gtest/gtest.h>

#include "plan/devices/read_device.h"

namespace plimsoll {
namespace {

constexpr const char* kShort =
    R"({"name": "mine", "memory": "24GiB", "memory_bandwidth": "900 GB/s", "peak": {"f32": "35TFLOP/s"}})";

std::string with(std::string from, const std::string& to) {
  std::string text = kShort;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(OwnDevice, ThreeNumbersAreEnough) {
  const auto device = read_device(kShort, DeviceFile::own);
  ASSERT_TRUE(device.ok()) << device.error().line();
  EXPECT_EQ(device->memory, Bytes(24LL << 30));
  EXPECT_EQ(device->memory_bandwidth->per_second, 900e9);
  EXPECT_EQ(device->peak.at(DType::f32).per_second, 35e12);
  EXPECT_EQ(device->kind, DeviceKind::gpu);
  EXPECT_EQ(device->title, "mine");
}

TEST(OwnDevice, ItsMemoryIsEnoughToBeLoaded) {
  const auto device = read_device(R"({"name": "mine", "memory": "24GiB"})", DeviceFile::own);
  ASSERT_TRUE(device.ok()) << device.error().line();
  EXPECT_EQ(device->memory, Bytes(24LL << 30));
  EXPECT_FALSE(device->memory_bandwidth);
}

TEST(OwnDevice, ErrorsNameTheField) {
  const std::pair<std::string, const char*> mistakes[] = {
      {with("\"24GiB\"", "24"), "memory: is 24, expected a number and B, KB"},
      {with("\"24GiB\"", "\"24 gigs\""), "memory: unit: is 'gigs', expected one of B, KB"},
      {with("\"24GiB\"", "\"much\""), "memory: is 'much', expected a number and"},
      {with("\"24GiB\"", "[24]"), "memory: is a list, expected a number and"},
      {with("\"35TFLOP/s\"", "\"35TB/s\""), "peak.f32: unit: is 'TB/s'"},
      {with("\"memory_bandwidth\"", "\"bandwidth\""), "has no field 'bandwidth'"},
      {with("\"memory_bandwidth\": \"900 GB/s\", ", ""), "memory_bandwidth: is missing"},
      {with("\"memory\": \"24GiB\", ", ""), "memory: is missing"},
      {with(", \"peak\": {\"f32\": \"35TFLOP/s\"}", ""), "peak.f32: is missing"},
      {with("\"memory\"", "\"memory_bytes\""), "has no field 'memory_bytes' (did you mean 'memory'"},
  };
  for (const auto& [json, says] : mistakes) {
    const auto device = read_device(json, DeviceFile::own);
    ASSERT_FALSE(device.ok()) << json;
    EXPECT_NE(device.error().line().find(says), std::string::npos) << device.error().line();
  }
}

TEST(OwnDevice, TheCatalogStillSaysWhereNumbersAreFrom) { EXPECT_FALSE(read_device(kShort).ok()); }

}  // namespace
}  // namespace plimsoll
