// Faults of workers: lost, stopped, or told to stop (1 to 5, 9, 10 of the list of faults).
#include "tests/dist/workers.h"

namespace plimsoll {
namespace {

class LostWorker : public Workers {
 protected:
  const std::vector<std::string> endless_{"--optimizer", "momentum", "--epochs", "100000"};

  void expect_lost(const Ran& ran, const std::string& rank) {
    EXPECT_EQ(ran.exit_code, 4) << ran.err;
    EXPECT_EQ(fault_lines(ran), 1) << ran.err;
    EXPECT_NE(ran.err.find(rank + " on "), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("in step "), std::string::npos) << ran.err;
    expect_nobody_left();
  }
};

TEST_F(LostWorker, KilledAllAreGoneAndItIsNamed) {
  for (const int rank : {1, 0}) {
    std::filesystem::remove_all(run_dir());
    StartedProgram program(words("run", 2, 8, endless_));
    wait_for_steps(3);
    ASSERT_TRUE(signal_rank(rank, SIGKILL));
    const Ran ran = program.wait();
    expect_lost(ran, "rank " + std::to_string(rank));
    EXPECT_NE(ran.err.find("signal 9 (Killed)"), std::string::npos) << ran.err;
    EXPECT_TRUE((*read_checkpoint(run_dir(), CheckpointKind::last)).has_value());
  }
}

// mpirun may hang when a worker is gone before all have joined: here it is stopped, so that nobody but the launcher can
// notice.
TEST_F(LostWorker, KilledBeforeItHasJoinedItIsNoticedAtOnce) {
  StartedProgram program(words("run", 2, 8, endless_));
  wait_until([&] { return process_of(1) != 0; });
  const int mpirun = only_child(program.pid());
  ASSERT_GT(mpirun, 1);
  ASSERT_EQ(kill(mpirun, SIGSTOP), 0);
  const int worker = process_of(1);
  ASSERT_GT(worker, 1);
  wait_until([&] { return is_connected(worker); });
  std::this_thread::sleep_for(std::chrono::seconds(1));  // for its first word
  ASSERT_EQ(kill(worker, SIGKILL), 0);
  const Ran ran = program.wait();
  expect_lost(ran, "rank 1");
  EXPECT_NE(ran.err.find("is gone, in step 0 (starting)"), std::string::npos) << ran.err;
}

TEST_F(LostWorker, StoppedItIsSilentAndTheRunEnds) {
  auto more = endless_;
  more.insert(more.end(), {"--silence", "5"});
  StartedProgram program(words("run", 2, 8, more));
  wait_for_steps(3);
  ASSERT_TRUE(signal_rank(1, SIGSTOP));
  const Ran ran = program.wait();
  expect_lost(ran, "rank 1");
  EXPECT_NE(ran.err.find("was silent for 5 s"), std::string::npos) << ran.err;
}

TEST_F(LostWorker, WithoutTheProcessThatStartedThemNobodyStays) {
  StartedProgram program(words("run", 2, 8, endless_));
  wait_for_steps(3);
  kill(program.pid(), SIGKILL);
  EXPECT_EQ(program.wait().exit_code, 128 + SIGKILL);
  expect_nobody_left();
}

TEST_F(LostWorker, RestartedItEndsWithTheWeightsOfAnUndisturbedRun) {
  const std::vector<std::string> flags{"--optimizer", "momentum", "--epochs", "8", "--max-restarts", "2"};
  const Ran whole = train("whole", 2, 8, flags);
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  StartedProgram program(words("run", 2, 8, flags));
  wait_for_steps(5);
  ASSERT_TRUE(signal_rank(1, SIGKILL));
  const Ran ran = program.wait();
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.err.find("restart 1 of 2 from the last checkpoint"), std::string::npos) << ran.err;
  EXPECT_EQ(weights("run"), weights("whole"));
  EXPECT_EQ(losses("run").size(), losses("whole").size());
  expect_nobody_left();
}

TEST_F(LostWorker, ASingleWorkerIsRestartedToo) {
  StartedProgram program(words("run", 1, 8, {"--epochs", "8", "--max-restarts", "1"}));
  wait_for_steps(3);
  ASSERT_TRUE(signal_rank(0, SIGKILL));
  const Ran ran = program.wait();
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.err.find("restart 1 of 1"), std::string::npos) << ran.err;
}

TEST_F(LostWorker, InterruptedAllFinishTheirStepAndSave) {
  struct Case {
    int signal, exit_code;
    const char* ended;
  };
  for (const Case& one : {Case{SIGINT, 130, "interrupted"}, Case{SIGTERM, 75, "terminated"}}) {
    std::filesystem::remove_all(run_dir());
    StartedProgram program(words("run", 2, 8, endless_));
    wait_for_steps(3);
    kill(program.pid(), one.signal);
    const Ran ran = program.wait();
    EXPECT_EQ(ran.exit_code, one.exit_code) << ran.err;
    const auto json = nlohmann::json::parse(ran.out);
    EXPECT_EQ(json["ended"], one.ended);
    EXPECT_EQ((*read_checkpoint(run_dir(), CheckpointKind::last))->state.step, json["steps"].get<int64_t>());
    expect_nobody_left();
  }
}

// Some batch systems signal the workers themselves.
TEST_F(LostWorker, OneThatIsToldToStopStopsAll) {
  StartedProgram program(words("run", 2, 8, endless_));
  wait_for_steps(3);
  ASSERT_TRUE(signal_rank(1, SIGTERM));
  const Ran ran = program.wait();
  EXPECT_EQ(ran.exit_code, 75) << ran.err;
  expect_nobody_left();
}

}  // namespace
}  // namespace plimsoll
