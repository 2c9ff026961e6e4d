#include "run/measure/run_log.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

TEST(RunLog, StepsBeyondAResumeAreForgotten) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/log.jsonl";
  {
    auto log = RunLog::open(path);
    ASSERT_TRUE(log.ok());
    for (int step = 1; step <= 5; ++step) ASSERT_TRUE(log->add({{"event", "step"}, {"step", step}, {"run", 1}}).ok());
  }
  std::ofstream(path, std::ios::app) << "{\"event\":\"step\",\"st";  // killed in the middle of a line
  EXPECT_EQ(read_run_log(path)->size(), 5u);
  auto log = RunLog::open(path);
  ASSERT_TRUE(log.ok());
  ASSERT_TRUE(log->add({{"event", "resume"}, {"step", 3}}).ok());
  ASSERT_TRUE(log->add({{"event", "step"}, {"step", 4}, {"run", 2}}).ok());
  const auto lines = read_run_log(path);
  ASSERT_TRUE(lines.ok()) << lines.error().line();
  ASSERT_EQ(lines->size(), 5u);
  EXPECT_EQ((*lines)[2]["step"], 3);
  EXPECT_EQ((*lines)[3]["event"], "resume");
  EXPECT_EQ((*lines)[4]["run"], 2);
}

TEST(RunLog, ARunThatBeginsAgainForgetsAllItsSteps) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("log.jsonl",
                   "{\"event\":\"start\",\"step\":0}\n{\"event\":\"step\",\"step\":1,\"loss\":9}\n"
                   "{\"event\":\"start\",\"step\":0}\n{\"event\":\"step\",\"step\":1,\"loss\":3}\n");
  const auto lines = read_run_log(path);
  ASSERT_TRUE(lines.ok()) << lines.error().line();
  ASSERT_EQ(lines->size(), 3u);
  EXPECT_EQ((*lines)[2]["loss"], 3);
}

TEST(RunLog, ALineThatIsNotJsonIsNamed) {
  const TemporaryFolder folder;
  const std::string path = folder.write("log.jsonl", "{\"a\":1}\nnonsense\n");
  const auto lines = read_run_log(path);
  ASSERT_FALSE(lines.ok());
  EXPECT_NE(lines.error().line().find("line 2"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
