// --max-seconds and --max-memory: a file that asks for too much ends in one line, not in a crash.
#include <gtest/gtest.h>

#include "tests/harness/run_program.h"
#include "tests/onnx_model.h"

namespace plimsoll {
namespace {

// Far more than a second of planning in a few MB.
std::string long_chain() {
  OnnxModel model;
  model.input("x", {"N", 4});
  model.weight("w", {4, 4});
  model.node("MatMul", {"x", "w"}, {"v0"});
  for (int i = 0; i < 190'000; ++i) model.node("Sigmoid", {"v" + std::to_string(i)}, {"v" + std::to_string(i + 1)});
  model.output("v190000");
  return model.bytes();
}

void expect_line(const Ran& ran, const std::string& path, const std::string& said) {
  EXPECT_EQ(ran.exit_code, 2) << ran.err;
  EXPECT_EQ(ran.err_lines(), 1) << ran.err;
  EXPECT_NE(ran.err.find(path + ": " + said), std::string::npos) << ran.err;
}

TEST(ReadingLimits, TimeIsLimited) {
  const TemporaryFolder folder;
  const std::string path = folder.write("chain.onnx", long_chain());
  const std::string said = "no answer within 1 s (--max-seconds gives it more time)";
  expect_line(run_plimsoll({"fit", path, "--memory", "8GiB", "--max-seconds", "1"}), path, said);
  const Ran json = run_plimsoll({"fit", path, "--memory", "8GiB", "--max-seconds", "1", "--json"});
  expect_line(json, path, said);
  EXPECT_NE(json.out.find("\"what\": \"no answer within 1 s\""), std::string::npos) << json.out;
}

#ifndef __SANITIZE_ADDRESS__  // which takes terabytes of addresses for itself
TEST(ReadingLimits, MemoryIsLimited) {
  const TemporaryFolder folder;
  const std::string path = folder.write("chain.onnx", long_chain());
  const std::string said = "no answer within 64.00 MiB of memory (--max-memory gives it more)";
  for (const std::string verb : {"weigh", "place"})
    expect_line(run_plimsoll({verb, path, "--max-memory", "64MiB"}), path, said);
  expect_line(run_plimsoll({"scale", path, "--device", "nvidia-t4", "--max-memory", "64MiB"}), path, said);
}
#endif

TEST(ReadingLimits, MistakesInThemAreNamed) {
  for (const std::string seconds : {"0", "-1", "soon"}) {
    const Ran ran = run_plimsoll({"weigh", "lenet5", "--max-seconds", seconds});
    EXPECT_EQ(ran.exit_code, 2) << seconds;
    EXPECT_NE(ran.err.find("--max-seconds"), std::string::npos) << ran.err;
  }
  const Ran ran = run_plimsoll({"weigh", "lenet5", "--max-memory", "much"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("--max-memory"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace plimsoll
