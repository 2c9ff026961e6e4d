// Mistakes in the flags of bench: one line on stderr before anything is measured, nothing left behind.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

class BenchMistakes : public testing::Test {
 protected:
  void expect(const std::vector<std::string>& more, const std::string& message, int exit_code = 2) {
    std::vector<std::string> words{"bench", "lenet5"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run_plimsoll(words, folder_.path());
    EXPECT_EQ(ran.exit_code, exit_code) << message << "\n" << ran.err;
    EXPECT_EQ(ran.err_lines(), 1) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find(message), std::string::npos) << "expected: " << message << "\ngot: " << ran.err;
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path())) << message;
  }
  TemporaryFolder folder_;
};

TEST_F(BenchMistakes, Lists) {
  for (const char* list : {"0", "1,", ",1", "1,,2", "1;2", "1,-2", "2048", "1,two"})
    expect({"--threads", list}, "--threads is");
  for (const char* list : {"0", "1,", "1,,8", "1e3", "8,x"}) expect({"--batch", list}, "--batch is");
  for (const char* list : {"fast", "direct,", "direct,fast", "direct winograd"})
    expect({"--conv", list}, "--conv is '");
}

TEST_F(BenchMistakes, Numbers) {
  expect({"--samples", "0"}, "--samples is '0'");
  expect({"--samples", "many"}, "--samples is 'many'");
  expect({"--steps", "0"}, "--steps is '0'");
  expect({"--warm-up", "-1"}, "--warm-up is '-1'");
  expect({"--seconds", "nan"}, "--seconds is 'nan'");
}

TEST_F(BenchMistakes, Plots) {
  expect({"--plot", "a.png", "--threads", "1,2"}, "--plot is 'a.png', expected a name that ends in .svg");
  expect({"--plot", "a.svg", "--threads", "2", "--batch", "1"}, "--plot needs several numbers of threads");
  expect({"--plot", "a.svg", "--threads", "2,2", "--batch", "1"}, "--plot needs several numbers of threads");
  expect({"--plot", "no/such/folder/a.svg", "--threads", "1,2"}, "no/such/folder", 4);
  expect({"--beside", "nvidia-t4,abacus"}, "no device is called 'abacus'");
}

TEST_F(BenchMistakes, AFolderIsNoPlot) {
  const TemporaryFolder other;
  std::filesystem::create_directory(other.path() + "/a.svg");
  expect({"--plot", other.path() + "/a.svg", "--threads", "1,2"}, "is a folder, expected a file or nothing", 4);
}

}  // namespace
}  // namespace plimsoll
