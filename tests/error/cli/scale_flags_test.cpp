// Mistakes with scale: one line, what was found and what was expected, exit code 2.
#include <gtest/gtest.h>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

struct ScaleMistake {
  std::vector<std::string> arguments;
  std::string says;
};

class ScaleFlags : public testing::TestWithParam<ScaleMistake> {};

TEST_P(ScaleFlags, OneLineAndExitCode2) {
  const Ran ran = run_plimsoll(GetParam().arguments);
  EXPECT_EQ(ran.exit_code, 2) << ran.err;
  EXPECT_EQ(ran.err_lines(), 1) << ran.err;
  EXPECT_NE(ran.err.find(GetParam().says), std::string::npos) << ran.err;
  EXPECT_TRUE(ran.out.empty()) << ran.out;
}

std::vector<std::string> on_t4(std::vector<std::string> more) {
  std::vector<std::string> words{"scale", "lenet5", "--device", "nvidia-t4"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const ScaleMistake kScaleMistakes[] = {
    {{"scale"}, "no MODEL is given"},
    {{"scale", "resnet18"}, "no --device is given"},
    {{"scale", "resnet1", "--device", "nvidia-t4"}, "did you mean 'resnet101'"},
    {{"scale", "resnet18", "--device", "nvidia-t5"}, "did you mean 'nvidia-t4'"},
    {on_t4({"--workers", "0"}), "--workers is '0'"},
    {on_t4({"--workers", "1,,2"}), "--workers is ''"},
    {on_t4({"--workers", "8..2"}), "--workers is '2', expected a whole number from 8"},
    {on_t4({"--workers", "10000000"}), "to 1,000,000"},
    {on_t4({"--workers", "many"}), "--workers is 'many'"},
    {on_t4({"--link", "10gb"}), "did you mean '10gbe'"},
    {on_t4({"--link", "wifi"}), "no link is called 'wifi'"},
    {on_t4({"--link", "25"}), "no link is called '25'"},
    {on_t4({"--link", "25Gbit"}), "no link is called '25Gbit'"},
    {on_t4({"--link", "0Gbit/s"}), "--link is '0Gbit/s', expected a name or a rate above 0"},
    {on_t4({"--link", "10gbe:5us"}), "has its latency"},
    {on_t4({"--link", "25Gbit/s:fast"}), "expected a latency"},
    {on_t4({"--per-node", "0"}), "--per-node is '0'"},
    {on_t4({"--inside", "rope"}), "no link is called 'rope'"},
    {on_t4({"--exchange", "gossip"}), "expected all-reduce or one-process"},
    {{"scale", "lenet5", "--device", "intel-i5-8250u", "--exchange", "one-process"}, "is for GPUs of one host"},
    {on_t4({"--exchange", "one-process", "--per-node", "2", "--workers", "4"}), "one process cannot drive 4 workers"},
    {on_t4({"--wire", "int8"}), "--wire is 'int8', expected f32, bf16 or f16"},
    {on_t4({"--bucket", "25"}), "--bucket is '25' without a unit"},
    {on_t4({"--batch", "32", "--global-batch", "64"}), "--batch and --global-batch are both given"},
    {on_t4({"--global-batch", "64", "--micro-batches", "2"}), "--global-batch does not go with --micro-batches"},
    {on_t4({"--global-batch", "4", "--workers", "8"}), "8 workers cannot share a batch of 4"},
    {on_t4({"--critical-batch", "0"}), "--critical-batch is '0'"},
    {on_t4({"--critical-batch", "nan"}), "--critical-batch is 'nan'"},
    {on_t4({"--critical-batch", "200-100"}), "--critical-batch is '100'"},
    {on_t4({"--critical-batch", "9", "--noise-scale", "9"}), "--critical-batch and --noise-scale are both given"},
    {on_t4({"--noise-scale", "-5"}), "--noise-scale is '-5'"},
    {on_t4({"--reference-batch", "0"}), "--reference-batch is '0'"},
    {on_t4({"--deadline", "8"}), "--deadline is '8', expected a number and one of"},
    {on_t4({"--budget", "0"}), "--budget is '0'"},
    {on_t4({"--by", "weight"}), "--by is 'weight', expected knee, time or money"},
    {on_t4({"--lr", "0"}), "--lr is '0'"},
    {on_t4({"--scale-lr", "cubic"}), "--scale-lr is 'cubic', expected linear, sqrt or none"},
    {on_t4({"--mode", "inference"}), "expected train"},
    {on_t4({"--threads", "0"}), "--threads is '0'"},
    {on_t4({"--jitter", "1.5"}), "--jitter is '1.5'"},
    {on_t4({"--jitter", "-0.1"}), "--jitter is '-0.1'"},
    {on_t4({"--samples", "0"}), "--samples is '0'"},
    {on_t4({"--plot", "scale.png"}), "expected a name that ends in .svg"},
    {on_t4({"--plot", "scale.svg", "--workers", "4"}), "--plot needs several numbers of workers"},
};

INSTANTIATE_TEST_SUITE_P(Mistakes, ScaleFlags, testing::ValuesIn(kScaleMistakes));

}  // namespace
}  // namespace plimsoll
