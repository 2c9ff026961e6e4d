// Faults of a whole training run: signals, a full disk, memory that is refused, two runs in one folder (9, 10, 13, 16,
// 26).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "run/train/checkpoint.h"
#include "tests/harness/run_program.h"
#include "tests/idx_set.h"

namespace plimsoll {
namespace {

class TrainFault : public testing::Test {
 protected:
  TrainFault() { write_idx_set(data_); }

  std::vector<std::string> words(std::vector<std::string> more = {}) const {
    std::vector<std::string> all{PLIM_PROGRAM, "train",   "logistic",  "--input",    "1x8x8",
                                 "--classes",  "4",       "--data",    data_.path(), "--batch",
                                 "4",          "--quiet", "--json",    "--threads",  "1",
                                 "--loaders",  "0",       "--run-dir", run_dir()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string run_dir() const { return folder_.path() + "/run"; }

  // Until so many steps are logged.
  void wait_for_steps(int64_t steps) const {
    for (int i = 0; i < 48'000; ++i) {
      std::ifstream log(run_dir() + "/log.jsonl");
      int64_t lines = 0;
      for (std::string line; std::getline(log, line);) lines += line.find("\"event\":\"step\"") != std::string::npos;
      if (lines >= steps) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    FAIL() << "the run does not begin";
  }

  TemporaryFolder data_, folder_;
};

// Where the disk of a log that a shell writes is full, or its reader has gone.
TEST_F(TrainFault, WordsThatNobodyCanReadStopNothing) {
  for (const std::string nowhere : {"2>/dev/full", "2>&-"}) {
    std::filesystem::remove_all(run_dir());
    std::vector<std::string> all{"/bin/sh", "-c", "exec \"$@\" " + nowhere, "sh"};
    const auto trained = words({"--max-steps", "3"});
    std::copy_if(trained.begin(), trained.end(), std::back_inserter(all),
                 [](const std::string& word) { return word != "--quiet"; });
    EXPECT_EQ(StartedProgram(all).wait().exit_code, 0) << nowhere;
    EXPECT_TRUE(std::filesystem::exists(run_dir() + "/last.json")) << nowhere;
    const std::string mistake = std::string(PLIM_PROGRAM) + " fit no-such-network --device t4 " + nowhere;
    EXPECT_EQ(StartedProgram({"/bin/sh", "-c", mistake}).wait().exit_code, 2) << nowhere;
  }
}

TEST_F(TrainFault, NoFileTakesThePlaceOfAClosedStream) {
  std::vector<std::string> all{"/bin/sh", "-c", "exec \"$@\" <&- 2>&-", "sh"};
  const auto trained = words({"--epochs", "100000"});
  all.insert(all.end(), trained.begin(), trained.end());
  StartedProgram program(all);
  wait_for_steps(1);
  for (const char* stream : {"0", "2"})
    EXPECT_EQ(std::filesystem::read_symlink("/proc/" + std::to_string(program.pid()) + "/fd/" + stream), "/dev/null");
  kill(program.pid(), SIGKILL);
}

TEST_F(TrainFault, InterruptedItSavesAndGoesOn) {
  StartedProgram program(words({"--epochs", "100000"}));
  wait_for_steps(5);
  kill(program.pid(), SIGINT);
  const Ran ran = program.wait();
  EXPECT_EQ(ran.exit_code, 130) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["ended"], "interrupted");
  const int64_t step = json["steps"];
  EXPECT_EQ((*read_checkpoint(run_dir(), CheckpointKind::last))->state.step, step);

  const Ran resumed = StartedProgram({PLIM_PROGRAM, "train", "--resume", "--run-dir", run_dir(), "--max-steps",
                                      std::to_string(step + 3), "--quiet", "--json"})
                          .wait();
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(nlohmann::json::parse(resumed.out)["steps"], step + 3);
}

TEST_F(TrainFault, ToldToStopTheExitCodeSaysResumable) {
  StartedProgram program(words({"--epochs", "100000"}));
  wait_for_steps(3);
  kill(program.pid(), SIGTERM);
  EXPECT_EQ(program.wait().exit_code, 75);
  EXPECT_TRUE((*read_checkpoint(run_dir(), CheckpointKind::last)).has_value());
}

TEST_F(TrainFault, KilledTheNextStartFindsAWholeCheckpoint) {
  {
    StartedProgram program(words({"--epochs", "100000"}));
    wait_for_steps(60);  // two epochs and more
    kill(program.pid(), SIGKILL);
    EXPECT_EQ(program.wait().exit_code, 128 + SIGKILL);
  }
  const int64_t step = (*read_checkpoint(run_dir(), CheckpointKind::last))->state.step;
  EXPECT_GE(step, 27);
  const Ran resumed = StartedProgram({PLIM_PROGRAM, "train", "--resume", "--run-dir", run_dir(), "--max-steps",
                                      std::to_string(step + 1), "--quiet", "--json"})
                          .wait();
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;  // the lock of the dead one is stale
}

TEST_F(TrainFault, KilledBeforeItsFirstCheckpointItBeginsAgain) {
  const std::vector<std::string> flags{"--epochs", "2"};
  ASSERT_EQ(StartedProgram(words(flags)).wait().exit_code, 0);
  const uint32_t undisturbed = (*read_checkpoint(run_dir(), CheckpointKind::last))->checksum;
  std::filesystem::remove_all(run_dir());
  // Its second whole file would be the first checkpoint's tensors: the first is config.json.
  const Ran killed = StartedProgram(words(flags), ".",
                                    {std::string("LD_PRELOAD=") + PLIM_FAILING_CALLS, "PLIM_FAULT_UNDER=" + run_dir(),
                                     "PLIM_FAULT_CALLS=rename", "PLIM_FAULT_HOW=kill", "PLIM_FAULT_AT=2"})
                         .wait();
  ASSERT_EQ(killed.exit_code, 128 + SIGKILL) << killed.err;
  ASSERT_FALSE((*read_checkpoint(run_dir(), CheckpointKind::last)).has_value());
  const Ran resumed = StartedProgram({PLIM_PROGRAM, "train", "--resume", "--run-dir", run_dir(), "--json"}).wait();
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("before its first checkpoint, so it begins again"), std::string::npos) << resumed.err;
  EXPECT_EQ((*read_checkpoint(run_dir(), CheckpointKind::last))->checksum, undisturbed);
}

TEST_F(TrainFault, KilledWhileItWroteItsFirstFileItCanBeBegunAnew) {
  const Ran killed = StartedProgram(words({"--epochs", "1"}), ".",
                                    {std::string("LD_PRELOAD=") + PLIM_FAILING_CALLS, "PLIM_FAULT_UNDER=" + run_dir(),
                                     "PLIM_FAULT_CALLS=rename", "PLIM_FAULT_HOW=kill", "PLIM_FAULT_AT=1"})
                         .wait();
  ASSERT_EQ(killed.exit_code, 128 + SIGKILL) << killed.err;
  const auto unfinished = [&] {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(run_dir()))
      count += entry.path().extension() == ".part";
    return count;
  };
  ASSERT_EQ(unfinished(), 1);
  const Ran again = StartedProgram(words({"--epochs", "1"})).wait();
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(unfinished(), 0);
}

TEST_F(TrainFault, SavedEverySoManyStepsAKillCostsNoMore) {
  const Ran killed =  // in the middle of the third checkpoint: of two files each, after config.json
      StartedProgram(words({"--epochs", "2", "--save-every", "5steps"}), ".",
                     {std::string("LD_PRELOAD=") + PLIM_FAILING_CALLS, "PLIM_FAULT_UNDER=" + run_dir(),
                      "PLIM_FAULT_CALLS=rename", "PLIM_FAULT_HOW=kill", "PLIM_FAULT_AT=6"})
          .wait();
  ASSERT_EQ(killed.exit_code, 128 + SIGKILL) << killed.err;
  EXPECT_EQ((*read_checkpoint(run_dir(), CheckpointKind::last))->state.step, 10);
}

TEST_F(TrainFault, ADiskThatFillsUpKeepsTheOldCheckpointAndTrainingGoesOn) {
  ASSERT_EQ(StartedProgram(words({"--max-steps", "30"})).wait().exit_code, 0);
  const int64_t before = (*read_checkpoint(run_dir(), CheckpointKind::last))->state.step;
  StartedProgram program(
      {PLIM_PROGRAM, "train", "--resume", "--run-dir", run_dir(), "--epochs", "3", "--json"}, ".",
      {std::string("LD_PRELOAD=") + PLIM_FAILING_CALLS, "PLIM_FAULT_UNDER=" + run_dir(), "PLIM_FAULT_CALLS=write",
       "PLIM_FAULT_HOW=" + std::to_string(ENOSPC), "PLIM_FAULT_ON=always", "PLIM_FAULT_AT=3"});
  const Ran ran = program.wait();
  EXPECT_EQ(ran.exit_code, 4) << ran.err;
  EXPECT_NE(ran.err.find("No space left on device"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("training goes on"), std::string::npos) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["ended"], "finished");
  EXPECT_EQ(json["epochs"].size(), 3u);
  EXPECT_EQ((*read_checkpoint(run_dir(), CheckpointKind::last))->state.step, before);
}

TEST_F(TrainFault, MemoryThatIsRefusedIsOneLine) {
  auto large = words({"--max-steps", "2"});
  large[2] = "mlp";  // whose parameters and arena are large mappings each
  int refused = 0;
  for (int at = 1; at < 40; ++at) {
    StartedProgram program(
        large, ".",
        {std::string("LD_PRELOAD=") + PLIM_FAILING_CALLS, "PLIM_FAULT_CALLS=mmap",
         "PLIM_FAULT_HOW=" + std::to_string(ENOMEM), "PLIM_FAULT_ON=always", "PLIM_FAULT_AT=" + std::to_string(at)});
    const Ran ran = program.wait();
    if (ran.exit_code == 0) break;
    EXPECT_EQ(ran.exit_code, 4) << "at " << at << ": " << ran.err;
    EXPECT_EQ(ran.err_lines(), 1) << ran.err;
    EXPECT_NE(ran.err.find("out of memory"), std::string::npos) << ran.err;
    ++refused;
    std::filesystem::remove_all(run_dir());
  }
  EXPECT_GE(refused, 1);
}

TEST_F(TrainFault, AFolderInUseIsRefused) {
  std::filesystem::create_directories(run_dir());
  const int lock = open((run_dir() + "/lock").c_str(), O_RDWR | O_CREAT, 0666);
  ASSERT_EQ(flock(lock, LOCK_EX), 0);
  const std::string pid = std::to_string(getpid()) + "\n";
  ASSERT_EQ(write(lock, pid.data(), pid.size()), ssize_t(pid.size()));
  const Ran ran = StartedProgram(words({"--max-steps", "1"})).wait();
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("is in use by process " + std::to_string(getpid())), std::string::npos) << ran.err;
  close(lock);
}

TEST_F(TrainFault, AnotherLocaleChangesNothing) {
  const Ran plain = StartedProgram(words({"--max-steps", "5"})).wait();
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  std::filesystem::remove_all(run_dir());
  const Ran other =
      StartedProgram(words({"--max-steps", "5"}), ".", {"LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8", "TZ=Asia/Kathmandu"})
          .wait();
  ASSERT_EQ(other.exit_code, 0) << other.err;
  const auto a = nlohmann::json::parse(plain.out), b = nlohmann::json::parse(other.out);
  EXPECT_EQ(a["epochs"][0]["train_loss"], b["epochs"][0]["train_loss"]);
  EXPECT_EQ(a["test_loss"], b["test_loss"]);
}

}  // namespace
}  // namespace plimsoll
