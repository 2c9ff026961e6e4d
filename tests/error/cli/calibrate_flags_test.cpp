// Mistakes with devices calibrate: one line, what was found and what was expected, exit code 2.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

using Words = std::vector<std::string>;

struct Mistake {
  Words flags;  // after "devices calibrate"
  std::string says;
};

Ran calibrate(Words flags) {
  flags.insert(flags.begin(), {"devices", "calibrate"});
  return run_plimsoll(flags);
}

class CalibrateFlags : public testing::TestWithParam<Mistake> {};

TEST_P(CalibrateFlags, OneLineAndExitCode2) {
  const Ran ran = calibrate(GetParam().flags);
  EXPECT_EQ(ran.exit_code, 2) << ran.err;
  EXPECT_EQ(ran.err_lines(), 1) << ran.err;
  EXPECT_NE(ran.err.find(GetParam().says), std::string::npos) << ran.err;
  EXPECT_TRUE(ran.out.empty()) << ran.out;
}

constexpr const char* kCard = "nvidia-rtx-3090";

const Mistake kMistakes[] = {
    {{}, "no device is given"},
    {{kCard}, "nothing that was measured is given, expected --gemm and --bandwidth, or --measured"},
    {{"nvidia-rtx-30900", "--gemm", "71TFLOPS"}, "did you mean 'nvidia-rtx-3090'"},
    {{"zzz", "--gemm", "71TFLOPS"}, "no device is called 'zzz'"},
    {{kCard, "--gemm", "0TFLOPS"}, "--gemm is '0TFLOPS', expected a rate above 0"},
    {{kCard, "--gemm=-71TFLOPS"}, "--gemm is '-71TFLOPS', expected a rate above 0"},
    {{kCard, "--gemm", "71"}, "--gemm is '71', expected a rate above 0 in GFLOPS, TFLOPS or PFLOPS"},
    {{kCard, "--gemm", "nanTFLOPS"}, "--gemm is 'nanTFLOPS'"},
    {{kCard, "--gemm", "711TFLOPS"}, "711.0 TFLOP/s was given where the data sheet says 71.16 TFLOP/s"},
    {{kCard, "--gemm", "71GFLOPS"}, "is the unit right?"},
    {{kCard, "--gemm", "71TFLOPS", "--gemm-dtype", "f64"}, "--gemm-dtype is 'f64'"},
    {{kCard, "--bandwidth", "9360GB/s"}, "9.360 TB/s was given where the data sheet says 936.0 GB/s"},
    {{kCard, "--bandwidth", "0GB/s"}, "--bandwidth is '0GB/s'"},
    {{kCard, "--bandwidth", "900"}, "--bandwidth is '900'"},
    {{kCard, "--gemm-dtype", "f16", "--bandwidth", "800GB/s"}, "--gemm-dtype is given without --gemm"},
    {{kCard, "--gemm", "71TFLOPS", "--measured", "resnet50:64:amp=70ms"}, "expected one of both"},
    {{kCard, "--measured", "resnet50"}, "expected NETWORK:BATCH[:FORMAT][:inference]=TIME"},
    {{kCard, "--measured", "resnet50:64"}, "expected NETWORK:BATCH[:FORMAT][:inference]=TIME"},
    {{kCard, "--measured", "resnet50:0=7ms"}, "batch is '0'"},
    {{kCard, "--measured", "resnet50:64:amp=0ms"}, "expected a time above 0"},
    {{kCard, "--measured", "resnet50:64:amp=-7ms"}, "time is '-7ms'"},
    {{kCard, "--measured", "resnet50:64:fp17=7ms"}, "has 'fp17', expected a number format, train, inference"},
    {{kCard, "--measured", "resnet5:64:amp=70ms"}, "did you mean 'resnet50'"},
    {{kCard, "--measured", "resnet50:64:amp=70ms", "--measured", "resnet50:64:amp=700ms"}, "contradict each other"},
    {{kCard, "--measured", "resnet50:64:amp=70ms", "--measured", "vit_b_16:64:amp=3ms"}, "lead to all measured runs"},
    {{kCard, "--measured", "resnet50:64:amp=1ms"}, "is it another device, batch or number format?"},
    {{"aws-g5.xlarge", "--gemm", "50TFLOPS"}, "is an instance, expected a gpu or a cpu (calibrate nvidia-a10g)"},
    {{kCard, "--gem", "71TFLOPS"}, "calibrate has no flag '--gem'"},
};

INSTANTIATE_TEST_SUITE_P(Mistakes, CalibrateFlags, testing::ValuesIn(kMistakes));

TEST(CalibrateMistakes, AFileThatCannotBeWrittenIsTheMachinesFault) {
  const Ran ran = calibrate({kCard, "--gemm", "71TFLOPS", "-o", "/nowhere/mine.json"});
  EXPECT_EQ(ran.exit_code, 4) << ran.err;
  EXPECT_NE(ran.err.find("/nowhere/mine.json: cannot be written"), std::string::npos) << ran.err;
}

TEST(CalibrateMistakes, AnErrorIsJsonWhereJsonIsAskedFor) {
  const Ran ran = calibrate({kCard, "--gemm", "0TFLOPS", "--json"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(nlohmann::json::parse(ran.out.empty() ? ran.err : ran.out)["schema"], "plimsoll.error/1");
}

}  // namespace
}  // namespace plimsoll
