#include "run/measure/utilisation.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace plimsoll {
namespace {

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

TEST(Utilisation, OthersHaveWhatIsBusyAndNotOurs) {
  const ProcessorsTime from{{100}, {40}, {10}};
  EXPECT_DOUBLE_EQ(share_of_others(from, {{120}, {55}, {20}}), 0.25);  // 15 of 20 s busy, 10 of them with us
  EXPECT_DOUBLE_EQ(share_of_others(from, {{120}, {50}, {20}}), 0);
  EXPECT_DOUBLE_EQ(share_of_others(from, {{120}, {49}, {20}}), 0);  // ticks are coarse
  EXPECT_DOUBLE_EQ(share_of_others(from, from), 0);
}

TEST(Utilisation, OnlyProcessorsThatWeMayUseCount) {
  const std::string stat =
      "cpu  40 0 20 60 0 0 0 0 0 0\ncpu0 10 0 0 30 0 0 0 0 0 0\ncpu1 30 0 20 30 0 0 0 0 0 0\nintr 5\n";
  const double ticks = double(sysconf(_SC_CLK_TCK));
  const auto all = processors_time(stat, {}), one = processors_time(stat, {1}), none = processors_time(stat, {7});
  EXPECT_DOUBLE_EQ(all.all.value * ticks, 120);
  EXPECT_DOUBLE_EQ(all.busy.value * ticks, 60);
  EXPECT_DOUBLE_EQ(one.all.value * ticks, 80);
  EXPECT_DOUBLE_EQ(one.busy.value * ticks, 50);
  EXPECT_DOUBLE_EQ(none.all.value * ticks, 120);  // numbered otherwise in a container: all, then
  EXPECT_DOUBLE_EQ(processors_time("", {0}).all.value, 0);
}

TEST(Utilisation, ABusyNeighbourIsSeen) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);  // should nobody come to end it
    while (processor_time().value < 1e9) continue;
  }
  const ProcessorsTime from = processors_time();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const ProcessorsTime to = processors_time();
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  const double cores = double(std::thread::hardware_concurrency());
  EXPECT_GT(share_of_others(from, to) * cores, 0.5);
}

}  // namespace
}  // namespace plimsoll
