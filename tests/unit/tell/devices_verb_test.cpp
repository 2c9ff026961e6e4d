// What `plimsoll devices` prints: the catalog, and one device with its sources.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plan/devices/all_devices.h"
#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

nlohmann::json document_of(const std::vector<std::string>& arguments) {
  const Ran ran = run_plimsoll(arguments);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  return nlohmann::json::parse(ran.out, nullptr, false);
}

TEST(DevicesVerb, ListsEveryDeviceInAJsonDocument) {
  const auto document = document_of({"devices", "--json"});
  ASSERT_TRUE(document.is_object());
  EXPECT_EQ(document["schema"], "plimsoll.devices/1");
  EXPECT_EQ(document["devices"].size(), all_device_files().size());
  for (const auto& device : document["devices"]) EXPECT_TRUE(device.contains("name") && device.contains("kind"));
}

TEST(DevicesVerb, OneDeviceHasNumbersInBaseUnitsAndSources) {
  const auto document = document_of({"devices", "nvidia-t4", "--json"});
  ASSERT_TRUE(document.is_object());
  ASSERT_EQ(document["devices"].size(), 1u);
  const auto& device = document["devices"][0];
  EXPECT_EQ(device["name"], "nvidia-t4");
  EXPECT_EQ(device["memory_bytes"], int64_t{16} << 30);
  EXPECT_EQ(device["memory_bandwidth"], 300e9);
  EXPECT_EQ(device["peak"]["f32"], 8.1e12);
  EXPECT_EQ(device["matrix_peak"]["f16"], 65e12);
  EXPECT_FALSE(device["sources"].empty());
  EXPECT_FALSE(device["figures"].empty());
}

TEST(DevicesVerb, TheTableShowsMemoryOfEachGpuOfANodeAndDatedPrices) {
  const Ran ran = run_plimsoll({"devices"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("8 × 32.00 GiB"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("$699.00 (2017-03)"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("$0.526/h (2024-12)"), std::string::npos) << ran.out;
}

TEST(DevicesVerb, OneDeviceIsShownWithTheSourceOfEachFigure) {
  const Ran ran = run_plimsoll({"devices", "nvidia-a100"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("NVIDIA A100 40 GB (SXM4) (gpu: nvidia-a100-40gb, also nvidia-a100)"), std::string::npos);
  EXPECT_NE(ran.out.find("NVIDIA A100 datasheet and Ampere whitepaper, 2020-05"), std::string::npos) << ran.out;
}

TEST(DevicesVerb, ChecksAFileOfOnesOwn) {
  const TemporaryFolder folder;
  const std::string path = folder.write("mine.json", "{\"name\": \"mine\", \"tilte\": \"My own\"}");
  const Ran ran = run_plimsoll({"devices", path});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err_lines(), 1);
  EXPECT_NE(ran.err.find("mine.json: has no field 'tilte' (did you mean 'title'"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace plimsoll
