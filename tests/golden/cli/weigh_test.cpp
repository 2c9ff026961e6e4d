// What weigh prints, byte by byte. After a change that is meant to be seen:
//   PLIMSOLL_GOLDEN=write build/tests/golden_tests
// and look at the difference before it is committed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

struct Golden {
  std::string file;
  std::vector<std::string> arguments;
};

const Golden kGolden[] = {
    {"weigh_lenet5.txt", {"weigh", "lenet5"}},
    {"weigh_lenet5.json", {"weigh", "lenet5", "--json"}},
    {"weigh_lenet5.csv", {"weigh", "lenet5", "--csv"}},
    {"weigh_lenet5.md", {"weigh", "lenet5", "--markdown"}},
    {"weigh_googlenet_depth1.txt", {"weigh", "googlenet", "--depth", "1"}},
    {"weigh_textcnn_inference.txt", {"weigh", "textcnn", "--mode", "inference", "--batch", "32"}},
    {"weigh_vgg16_sorted.txt", {"weigh", "vgg16", "--sort", "params", "--top", "4", "--dtype", "amp", "--units", "36"}},
    {"weigh_onnx.txt", {"weigh", "models/mobilenet_v2.onnx", "--depth", "2"}},
    {"compare.txt", {"weigh", "resnet50", "densenet121", "--epochs", "10,100", "--epoch-time", "2.4h,90s"}},
    {"compare.csv", {"weigh", "resnet50", "densenet121", "--csv"}},
    {"models.csv", {"models", "--csv"}},
};

class GoldenOutput : public testing::TestWithParam<Golden> {};

TEST_P(GoldenOutput, IsWhatItWas) {
  const std::string path = std::string(PLIM_TEST_DATA "/../golden/cli/expected/") + GetParam().file;
  const Ran ran = run_plimsoll(GetParam().arguments, PLIM_TEST_DATA);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  if (std::getenv("PLIMSOLL_GOLDEN")) std::ofstream(path, std::ios::binary) << ran.out;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(ran.out, expected.str());
}

INSTANTIATE_TEST_SUITE_P(Weigh, GoldenOutput, testing::ValuesIn(kGolden), [](const auto& info) {
  std::string name = info.param.file;
  for (char& c : name)
    if (c == '.') c = '_';
  return name;
});

}  // namespace
}  // namespace plimsoll
