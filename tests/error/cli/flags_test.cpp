// One row for each mistake of a user on the command line: one line on stderr that says what
// was found and what was expected, the documented exit code, nothing on stdout.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

struct Mistake {
  std::vector<std::string> arguments;
  std::string says;
};

class Flags : public testing::TestWithParam<Mistake> {};

TEST_P(Flags, OneLineAndExitCode2) {
  const Ran ran = run_plimsoll(GetParam().arguments);
  EXPECT_EQ(ran.exit_code, 2) << ran.err;
  EXPECT_EQ(ran.err_lines(), 1) << ran.err;
  EXPECT_NE(ran.err.find(GetParam().says), std::string::npos) << ran.err;
  const auto& words = GetParam().arguments;
  const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
  EXPECT_EQ(ran.out.empty(), !json) << ran.out;
}

const Mistake kMistakes[] = {
    {{}, "no verb is given"},
    {{"wiegh", "resnet50"}, "did you mean 'weigh'"},
    {{"weigh"}, "MODEL"},
    {{"weigh", "resnet5"}, "did you mean 'resnet50'"},
    {{"weigh", "zzzzzzzz"}, "see 'plimsoll models'"},
    {{"weigh", ""}, "no network is called ''"},
    {{"weigh", std::string(100000, 'a')}, "no network is called"},
    {{"weigh", "resnet50", "--btach", "3"}, "did you mean '--batch'"},
    {{"weigh", "resnet50", "--batch"}, "weigh: --batch has no value, expected N"},
    {{"fit", "resnet50", "--device", "t4", "--gpu", "l4"}, "fit: --device is given more than once"},
    {{"fit", "resnet50", "vgg16", "--device", "t4"}, "fit: 'vgg16' is one more than expected"},
    {{"weigh", "resnet50", "--batch", "0"}, "--batch is '0', expected a whole number from 1"},
    {{"weigh", "resnet50", "--batch", "-1"}, "--batch is '-1'"},
    {{"weigh", "resnet50", "--batch", "1000000000000000000"}, "expected a whole number from 1 to 1,000,000,000"},
    {{"weigh", "resnet50", "--batch", "99999999999999999999999"}, "expected a whole number"},
    {{"weigh", "resnet50", "--batch", "1e18"}, "--batch is '1e18'"},
    {{"weigh", "resnet50", "--batch", "2.5"}, "--batch is '2.5'"},
    {{"weigh", "resnet50", "--batch", "nan"}, "--batch is 'nan'"},
    {{"weigh", "resnet50", "--batch", " 3"}, "--batch is ' 3'"},
    {{"weigh", "resnet50", "--dtype", "f33"}, "--dtype is 'f33', expected one of"},
    {{"weigh", "resnet50", "--dtype", "string"}, "--dtype is 'string'"},
    {{"weigh", "resnet50", "--mode", "backwards"}, "--mode is 'backwards', expected train, inference or generate"},
    {{"weigh", "resnet50", "--optimizer", "adma"}, "did you mean 'adam'"},
    {{"weigh", "resnet50", "--input", "3x224x"}, "is not a shape"},
    {{"weigh", "resnet50", "--input", "3x0x224"}, "expected sizes of at least 1"},
    {{"weigh", "resnet50", "--input", "224x224"}, "expected a shape like 3x224x224"},
    {{"weigh", "resnet50", "--input", "3x9999999999999999x9999999999999999"}, "overflow"},
    {{"weigh", "resnet50", "--classes", "0"}, "--classes is '0'"},
    {{"weigh", "alexnet", "--input", "3x16x16"}, "the padded input is only"},
    {{"weigh", "resnet50", "--sort", "weight"}, "--sort is 'weight', expected params, macs"},
    {{"weigh", "resnet50", "--depth", "-1"}, "--depth is '-1'"},
    {{"weigh", "resnet50", "--top", "0"}, "--top is '0'"},
    {{"weigh", "resnet50", "--units", "0"}, "--units is '0'"},
    {{"weigh", "resnet50", "--dim", "seq"}, "expected NAME=SIZE"},
    {{"weigh", "resnet50", "--epochs", "3"}, "at least two networks"},
    {{"weigh", "resnet50", "vgg16", "--epochs", "3,4", "--epoch-time", "2h,x"}, "expected a number and one of"},
    {{"weigh", "resnet50", "vgg16", "--epochs", "3,4", "--epoch-time", "2h,nans"}, "expected a number and one of"},
    {{"weigh", "resnet50", "--json", "--csv"}, "are forms of one answer"},
    {{"weigh", "absent.onnx"}, "absent.onnx"},
    {{"devices", "nvidia-t5"}, "no device is called 'nvidia-t5' (did you mean 'nvidia-t4'"},
    {{"devices", "zzzzzzzz"}, "see 'plimsoll devices'"},
    {{"devices", "./absent.json"}, "./absent.json: no such file"},
    {{"devices", "/dev/null"}, "/dev/null: a device, expected a regular .json file"},
    {{"devices", "--kind", "tpu"}, "--kind is 'tpu', expected gpu, cpu, node or instance"},
    {{"devices", "--json", "--csv"}, "are forms of one answer"},
    {{"weigh", "resnet50", "--batch", "1000000000", "--input", "3x100000x100000"}, "overflow"},
};

INSTANTIATE_TEST_SUITE_P(Mistakes, Flags, testing::ValuesIn(kMistakes),
                         [](const auto& info) { return std::to_string(info.index); });

TEST(FlagsJson, AnErrorIsAlsoADocument) {
  const Ran ran = run_plimsoll({"weigh", "resnet50", "--batch", "0", "--json"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err_lines(), 1);
  EXPECT_NE(ran.out.find("\"schema\": \"plimsoll.error/1\""), std::string::npos);
  EXPECT_NE(ran.out.find("\"exit_code\": 2"), std::string::npos);
}

// The first word of every line below "Subcommands:".
std::vector<std::string> verbs_of(const std::string& help) {
  std::istringstream lines(help.substr(help.find("Subcommands:")));
  std::vector<std::string> verbs;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && line.starts_with("  ")) verbs.push_back(line.substr(2, line.find(' ', 2) - 2));
  return verbs;
}

TEST(FlagsHelp, EveryVerbHasHelpWithAnExampleAndExitCodes) {
  const auto verbs = verbs_of(run_plimsoll({"--help"}).out);
  EXPECT_GE(verbs.size(), 17u);
  for (const std::string& verb : verbs) {
    const Ran ran = run_plimsoll({verb, "--help"});
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_NE(ran.out.find("Example"), std::string::npos) << verb;
    EXPECT_NE(ran.out.find("--json"), std::string::npos) << verb;
    EXPECT_NE(ran.out.find("Exit codes"), std::string::npos) << verb;
  }
}

TEST(FlagsHelp, APortIsANameAndHasNoComma) {
  EXPECT_NE(run_plimsoll({"serve", "--help"}).out.find("(default: 8470)"), std::string::npos);
}

TEST(FlagsFolder, AModelThatIsAFolderIsRefused) {
  const TemporaryFolder folder;
  const Ran ran = run_plimsoll({"weigh", folder.path() + "/"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err_lines(), 1);
}

}  // namespace
}  // namespace plimsoll
