// What scale prints and draws, byte by byte. After a change that is meant to be seen:
//   PLIMSOLL_GOLDEN=write build/tests/golden_tests
// and look at the difference before it is committed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

struct GoldenScale {
  std::string file;
  std::vector<std::string> arguments;
};

const std::vector<std::string> kImageNet = {
    "scale",   "resnet50", "--device", "nvidia-dgx-a100",   "--workers", "1..256", "--samples",
    "1281167", "--epochs", "90",       "--reference-batch", "256",       "--lr",   "0.1"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const GoldenScale kGoldenScale[] = {
    {"scale_dgx.txt", with(kImageNet, {"--critical-batch", "15000"})},
    {"scale_dgx_deadline.txt", with(kImageNet, {"--critical-batch", "10000-20000", "--deadline", "2h"})},
    {"scale_open.txt", {"scale", "vgg16", "--device", "nvidia-t4", "--link", "10gbe", "--batch", "32"}},
    {"scale_open.json", {"scale", "lenet5", "--device", "nvidia-t4", "--workers", "1,2", "--batch", "32", "--json"}},
    {"scale_loader.txt",
     {"scale", "resnet18", "--device", "aws-g4dn.12xlarge", "--workers", "1,2,4,8", "--batch", "64", "--sample-bytes",
      "110KB", "--decode-rate", "60", "--critical-batch", "2000", "--by", "money"}},
    {"scale_cpu.txt",
     {"scale", "resnet18", "--device", "intel-i5-8250u", "--workers", "1,2,4", "--link", "1Gbit/s:100us",
      "--global-batch", "64"}},
    {"scale_cpu.csv",
     {"scale", "resnet18", "--device", "intel-i5-8250u", "--workers", "1,2,4", "--link", "1Gbit/s:100us",
      "--global-batch", "64", "--csv"}},
    {"scale_cpu.md",
     {"scale", "resnet18", "--device", "intel-i5-8250u", "--workers", "1,2,4", "--link", "1Gbit/s:100us",
      "--global-batch", "64", "--markdown"}},
    {"scale_links.txt", {"scale", "--links"}},
};

std::string expected_path(const std::string& file) {
  return std::string(PLIM_TEST_DATA "/../golden/cli/expected/") + file;
}

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class GoldenScaling : public testing::TestWithParam<GoldenScale> {};

TEST_P(GoldenScaling, IsWhatItWas) {
  const Ran ran = run_plimsoll(GetParam().arguments);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  if (std::getenv("PLIMSOLL_GOLDEN")) std::ofstream(expected_path(GetParam().file), std::ios::binary) << ran.out;
  EXPECT_EQ(ran.out, file_text(expected_path(GetParam().file)));
}

INSTANTIATE_TEST_SUITE_P(Scale, GoldenScaling, testing::ValuesIn(kGoldenScale), [](const auto& info) {
  std::string name = info.param.file;
  for (char& c : name)
    if (c == '.') c = '_';
  return name;
});

TEST(GoldenScalePlot, IsWhatItWas) {
  const auto folder = std::filesystem::temp_directory_path() / "plimsoll_golden_scale";
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "scale.svg").string();
  ASSERT_EQ(run_plimsoll(with(kImageNet, {"--critical-batch", "15000", "--plot", path})).exit_code, 0);
  const std::string drawn = file_text(path);
  std::filesystem::remove_all(folder);
  if (std::getenv("PLIMSOLL_GOLDEN")) std::ofstream(expected_path("scale.svg"), std::ios::binary) << drawn;
  EXPECT_EQ(drawn, file_text(expected_path("scale.svg")));
}

}  // namespace
}  // namespace plimsoll
