// How workers are started, and when they refuse to begin.
#include "tests/dist/workers.h"

namespace plimsoll {
namespace {

class Start : public Workers {
 protected:
  // Started by hand: one part of the command line for each rank.
  std::vector<std::string> by_mpirun(const std::vector<std::vector<std::string>>& ranks) {
    std::vector<std::string> all{"/usr/bin/env", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                                 "mpirun", "--oversubscribe"};
    for (const auto& words : ranks) {
      if (&words != &ranks.front()) all.push_back(":");
      all.insert(all.end(), {"-np", "1"});
      all.insert(all.end(), words.begin(), words.end());
    }
    return all;
  }
  std::vector<std::string> without_np(std::vector<std::string> more) {
    return words_without_np("run", 8, std::move(more));
  }
};

TEST_F(Start, UnderMpirunTheSameProgramWorks) {
  const auto one = without_np({"--max-steps", "3"});
  const Ran ran = StartedProgram(by_mpirun({one, one})).wait();
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(nlohmann::json::parse(ran.out)["workers"], 2);
}

TEST_F(Start, WhoDisagreesIsNamedBeforeTheFirstStep) {
  const Ran seeds = StartedProgram(by_mpirun({without_np({"--seed", "1"}), without_np({"--seed", "2"})})).wait();
  EXPECT_EQ(seeds.exit_code, 2) << seeds.err;
  EXPECT_NE(seeds.err.find("the workers do not agree: the seed is 2 on rank 1"), std::string::npos) << seeds.err;
  EXPECT_FALSE(std::filesystem::exists(run_dir()));

  TemporaryFolder other;
  write_idx_set(other, kSamples + 4, 28, 4);
  auto moved = without_np({});
  moved[6] = other.path();
  const Ran data = StartedProgram(by_mpirun({without_np({}), moved})).wait();
  EXPECT_EQ(data.exit_code, 2) << data.err;
  EXPECT_NE(data.err.find("the workers do not agree: the data"), std::string::npos) << data.err;
}

TEST_F(Start, AMistakeOfOneRankIsToldOnceWithItsRank) {
  auto missing = without_np({});
  missing[6] = data_.path() + "/nothing";
  const Ran ran = StartedProgram(by_mpirun({without_np({}), missing})).wait();
  EXPECT_EQ(ran.exit_code, 2) << ran.err;
  EXPECT_NE(ran.err.find("plimsoll: rank 1 on "), std::string::npos) << ran.err;
}

TEST_F(Start, AMistakeOfAllIsToldOnce) {
  const Ran ran = train("run", 2, 8, {"--lr", "nan"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err_lines(), 1) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(run_dir()));
}

TEST_F(Start, FewerSamplesThanWorkersTimesBatchIsRefused) {
  const Ran ran = train("run", 2, 300);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("fewer than a batch for each of 2 workers, of 300"), std::string::npos) << ran.err;
}

TEST_F(Start, MoreWorkersThanTheHostsHaveRoomForAreRefused) {
  const Ran ran = train("run", 5, 8, {"--hosts", "a:2,b:2"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.err, "plimsoll: --np is 5, but --hosts has room for 4 (name more hosts, or more workers for each)\n");
}

TEST_F(Start, MoreWorkersThanCoresTakeTurnsAndSaySo) {
  const int cores = int(std::thread::hardware_concurrency());
  if (cores > 16) GTEST_SKIP() << "too many cores to have more workers than they";
  auto all = words("run", cores + 1, 4, {"--max-steps", "2"});
  std::erase(all, "--quiet");
  const Ran ran = StartedProgram(all).wait();
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.err.find("they take turns"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace plimsoll
