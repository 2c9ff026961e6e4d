// Mistakes in the flags of sweep: one line on stderr before the first run, nothing left behind.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

TEST(SweepMistakes, AreOneLine) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::vector<std::string>& more, const std::string& message) {
    std::vector<std::string> words{"sweep"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run_plimsoll(words, folder.path());
    EXPECT_EQ(ran.exit_code, 2) << message;
    EXPECT_EQ(ran.err_lines(), 1) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find(message), std::string::npos) << "expected: " << message << "\ngot: " << ran.err;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << message;
  };
  expect({}, "no MODEL is given");
  expect({"mlp", "--batch", "8,,16"}, "--batch is ''");
  expect({"mlp", "--batch", "auto"}, "--batch is 'auto'");
  expect({"mlp", "--lr", "0.1,-1"}, "--lr is '-1'");
  expect({"mlp", "--seed", "1,x"}, "--seed is 'x'");
  expect({"mlp", "--goal-loss", "0"}, "--goal-loss is '0'");
  expect({"mlp", "--plot", "a.png"}, "expected a name that ends in .svg");
  expect({"mlp", "--resume"}, "--resume is not needed");
}

}  // namespace
}  // namespace plimsoll
