// Mistakes in the flags of sharpness: one line on stderr.
#include <gtest/gtest.h>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

TEST(SharpnessMistakes, AreOneLine) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::vector<std::string>& more, const std::string& message) {
    std::vector<std::string> words{"sharpness", folder.path()};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run_plimsoll(words);
    EXPECT_EQ(ran.exit_code, 2) << message;
    EXPECT_EQ(ran.err_lines(), 1) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find(message), std::string::npos) << "expected: " << message << "\ngot: " << ran.err;
  };
  expect({}, "has no checkpoint");
  expect({"--epsilon", "0"}, "--epsilon is '0'");
  expect({"--epsilon", "0.1,,0.2"}, "--epsilon is ''");
  expect({"--points", "2"}, "--points is '2'");
  expect({"--samples", "some"}, "--samples is 'some'");
  expect({"--span", "-1"}, "--span is '-1'");
  expect({"--directions", "0"}, "--directions is '0'");
  expect({"--plot", "s.png"}, "expected a name that ends in .svg");
}

}  // namespace
}  // namespace plimsoll
