// Workers that Slurm's srun starts (tools/one_slurm.sh): the same program, the same numbers, and the end of a lost one.
#include "tests/dist/workers.h"

namespace plimsoll {
namespace {

constexpr int kNotToBeHad = 77;

class Srun : public Workers {
 protected:
  void SetUp() override {
    Workers::SetUp();
    if (IsSkipped()) return;
    const Ran tried = beside_slurm({"true"}).wait();
    if (tried.exit_code == kNotToBeHad) GTEST_SKIP() << tried.err;
    ASSERT_EQ(tried.exit_code, 0) << tried.err;
  }

  // Whatever happens, it ends: so nothing here waits for ever.
  static StartedProgram beside_slurm(const std::vector<std::string>& words) {
    std::vector<std::string> all{"/usr/bin/timeout", "--kill-after", "5", "300", PLIM_ONE_SLURM};
    all.insert(all.end(), words.begin(), words.end());
    return StartedProgram(all);
  }

  // srun says how many there are, not -np.
  StartedProgram start(const std::string& name, const std::vector<std::string>& more) const {
    std::vector<std::string> all{"srun", "--ntasks", "2", "--overcommit"};
    const auto ours = words_without_np(name, 8, more);
    all.insert(all.end(), ours.begin(), ours.end());
    return beside_slurm(all);
  }
};

TEST_F(Srun, StartsTheSameProgram) {
  const std::vector<std::string> flags{"--optimizer", "momentum", "--max-steps", "6"};
  const Ran by_srun = start("by_srun", flags).wait();
  ASSERT_EQ(by_srun.exit_code, 0) << by_srun.err;
  EXPECT_EQ(nlohmann::json::parse(by_srun.out)["workers"], 2);
  ASSERT_EQ(train("by_np", 2, 8, flags).exit_code, 0);
  EXPECT_EQ(losses("by_srun"), losses("by_np"));
  EXPECT_EQ(weights("by_srun"), weights("by_np"));
}

TEST_F(Srun, ALostWorkerEndsAll) {
  StartedProgram program = start("run", {"--optimizer", "momentum", "--epochs", "100000", "--silence", "3"});
  wait_for_steps(3);
  ASSERT_TRUE(signal_rank(1, SIGKILL));
  const Ran ran = program.wait();
  EXPECT_NE(ran.exit_code, 0);
  EXPECT_NE(ran.exit_code, 124) << "it hung";
  EXPECT_NE(ran.err.find("rank 1"), std::string::npos) << ran.err;
  expect_nobody_left();
}

}  // namespace
}  // namespace plimsoll
