#include "run/measure/run_log.h"

#include <gtest/gtest.h>

#include <fstream>

#include "run/measure/utilisation.h"
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

TEST(RunLog, ALineThatIsNotJsonIsNamed) {
  const TemporaryFolder folder;
  const std::string path = folder.write("log.jsonl", "{\"a\":1}\nnonsense\n");
  const auto lines = read_run_log(path);
  ASSERT_FALSE(lines.ok());
  EXPECT_NE(lines.error().line().find("line 2"), std::string::npos);
}

TEST(Utilisation, SamplesTheProcess) {
  Utilisation utilisation(Seconds{0.01});
  std::vector<UtilisationSample> samples;
  while (samples.size() < 3)
    for (const auto& sample : utilisation.take()) samples.push_back(sample);
  EXPECT_GT(samples[2].at.value, samples[1].at.value);
  for (const auto& sample : samples) {
    EXPECT_GT(sample.resident.value(), 1 << 20);
    EXPECT_GE(sample.cores, 0);
    EXPECT_GE(sample.machine, 0);
    EXPECT_LE(sample.machine, 1);
  }
  EXPECT_GE(resident_peak(), samples[0].resident);
}

TEST(Utilisation, OfLessThanAnIntervalHasASampleToo) {
  Utilisation utilisation(Seconds{3600});
  const auto samples = utilisation.end();
  ASSERT_EQ(samples.size(), 1U);
  EXPECT_GT(samples[0].resident.value(), 1 << 20);
  EXPECT_GE(samples[0].cores, 0);
}

}  // namespace
}  // namespace plimsoll
