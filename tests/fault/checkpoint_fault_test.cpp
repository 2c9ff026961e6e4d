// A save that is killed or whose calls fail, at every call (faults 11, 13, 14, 15): a whole checkpoint is always there.
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <set>

#include "run/train/checkpoint.h"
#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

constexpr int kMostCalls = 60;  // a save makes far fewer

struct Fault {
  std::string calls, how, on = "once";
  int at = 0;

  std::vector<std::string> environment(const std::string& folder) const {
    return {std::string("LD_PRELOAD=") + PLIM_FAILING_CALLS,
            "PLIM_FAULT_UNDER=" + folder,
            "PLIM_FAULT_CALLS=" + calls,
            "PLIM_FAULT_HOW=" + how,
            "PLIM_FAULT_ON=" + on,
            "PLIM_FAULT_AT=" + std::to_string(at)};
  }
};

Ran save(const std::string& folder, int step, const Fault& fault) {
  return StartedProgram({PLIM_SAVER, folder, std::to_string(step)}, ".", fault.environment(folder)).wait();
}

// The step of the checkpoint that is there, its tensors read and compared with their checksum; -1: none that is whole.
int64_t whole_step(const std::string& folder) {
  const auto checkpoint = read_checkpoint(folder, CheckpointKind::last);
  if (!checkpoint.ok() || !*checkpoint) return -1;
  return open_tensors(**checkpoint).ok() ? (*checkpoint)->state.step : -1;
}

size_t files(const std::string& folder) {
  return size_t(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

size_t files_after_sweep(const std::string& folder) {
  sweep_leftovers(folder);
  return files(folder);
}

TEST(CheckpointFault, KilledAtAnyCallTheOldOrTheNewOneIsWhole) {
  const TemporaryFolder folder;
  ASSERT_EQ(save(folder.path(), 1, {}).exit_code, 0);
  int kills = 0, step = 2;
  for (int at = 1; at < kMostCalls; ++at) {
    const Ran ran = save(folder.path(), step, {"open,write,fsync,rename,unlink", "kill", "once", at});
    const int64_t there = whole_step(folder.path());
    EXPECT_TRUE(there == step || there == step - 1) << "killed at call " << at << ": " << there;
    EXPECT_EQ(files_after_sweep(folder.path()), 2u) << "killed at call " << at;
    EXPECT_EQ(whole_step(folder.path()), there);
    if (ran.exit_code == 0) break;
    ASSERT_EQ(ran.exit_code, 128 + SIGKILL);
    ++kills;
    if (there == step) ++step;
  }
  EXPECT_GE(kills, 10);
}

TEST(CheckpointFault, ACallThatFailsIsSaidAndTheOldOneStays) {
  for (const char* on : {"once", "always"}) {
    for (const int error : {ENOSPC, EIO}) {
      const TemporaryFolder folder;
      ASSERT_EQ(save(folder.path(), 1, {}).exit_code, 0);
      int failures = 0;
      for (int at = 1; at < kMostCalls; ++at) {
        const auto before = whole_step(folder.path());
        const int step = int(before) + 1;
        const Ran ran = save(folder.path(), step, {"open,write,fsync,rename", std::to_string(error), on, at});
        const int64_t there = whole_step(folder.path());
        EXPECT_TRUE(there == step || there == before) << "call " << at << ", error " << error;
        if (ran.exit_code == 0) {
          EXPECT_EQ(there, step) << "said to be saved, call " << at << ", error " << error;
          EXPECT_EQ(files(folder.path()), 2u) << "the one before is left, call " << at << ", error " << error;
        } else {
          EXPECT_EQ(ran.exit_code, 4);
          EXPECT_EQ(ran.err_lines(), 1) << ran.err;
          ++failures;
        }
        EXPECT_EQ(files_after_sweep(folder.path()), 2u);
        if (ran.exit_code == 0 && at > 15) break;
      }
      EXPECT_GE(failures, 6) << on << " " << error;
    }
  }
}

TEST(CheckpointFault, ShortWritesAndInterruptedCallsAreFinished) {
  const TemporaryFolder folder;
  ASSERT_EQ(save(folder.path(), 1, {}).exit_code, 0);
  int step = 1;
  for (const std::string& how : {std::string("short"), std::to_string(EINTR)})
    for (int at = 1; at < 10; ++at) {
      ASSERT_EQ(save(folder.path(), ++step, {"write", how, "once", at}).exit_code, 0) << how << " " << at;
      EXPECT_EQ(whole_step(folder.path()), step);
    }
}

TEST(CheckpointFault, AFolderThatVanishedIsSaid) {
  const TemporaryFolder folder;
  const Ran ran = save(folder.path() + "/gone", 1, {});
  EXPECT_EQ(ran.exit_code, 4);
  EXPECT_NE(ran.err.find("cannot be written"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace plimsoll
