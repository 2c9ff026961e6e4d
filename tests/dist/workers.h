// Training runs on several workers, as a user starts them, and what tests ask of them: the losses of their steps, their
// processes, the weights that they end with.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "run/train/checkpoint.h"
#include "tests/harness/run_program.h"
#include "tests/idx_set.h"

namespace plimsoll {

inline bool mpirun_is_there() {
  std::istringstream folders(getenv("PATH") ? getenv("PATH") : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + "/mpirun").c_str(), X_OK) == 0) return true;
  return false;
}

// Lines on stderr, without the one that names a slow worker: where other tests have the cores, one really is slow.
inline int fault_lines(const Ran& ran) {
  const bool slow = ran.err.find(" is slow: it computes ") != std::string::npos;
  return ran.err_lines() - (slow ? 1 : 0);
}

class Workers : public testing::Test {
 protected:
  static constexpr uint32_t kSamples = 400;

  void SetUp() override {
    if (!mpirun_is_there()) GTEST_SKIP() << "mpirun is missing: install openmpi-bin";
    write_idx_set(data_, kSamples, 28, 4);
  }

  std::string run_dir(const std::string& name = "run") const { return folder_.path() + "/" + name; }

  // A small network without batch norm, without momentum.
  std::vector<std::string> words(const std::string& name, int np, int batch, std::vector<std::string> more = {}) const {
    std::vector<std::string> all{PLIM_PROGRAM,
                                 "train",
                                 "lenet5",
                                 "--classes",
                                 "4",
                                 "--data",
                                 data_.path(),
                                 "--batch",
                                 std::to_string(batch),
                                 "-np",
                                 std::to_string(np),
                                 "--lr",
                                 "0.05",
                                 "--threads",
                                 "1",
                                 "--loaders",
                                 "0",
                                 "--quiet",
                                 "--json",
                                 "--run-dir",
                                 run_dir(name)};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  // For workers that others start: they say how many there are.
  std::vector<std::string> words_without_np(const std::string& name, int batch,
                                            std::vector<std::string> more = {}) const {
    auto all = words(name, 0, batch, std::move(more));
    const auto np = std::find(all.begin(), all.end(), "-np");
    all.erase(np, np + 2);
    return all;
  }

  Ran train(const std::string& name, int np, int batch, std::vector<std::string> more = {}) const {
    return StartedProgram(words(name, np, batch, std::move(more))).wait();
  }

  // Of each logged step; a step that was taken again after a restart counts with its last number.
  std::vector<double> losses(const std::string& name = "run") const {
    std::vector<double> found;
    std::ifstream log(run_dir(name) + "/log.jsonl");
    for (std::string line; std::getline(log, line);) {
      if (line.find("\"event\":\"step\"") == std::string::npos) continue;
      const auto json = nlohmann::json::parse(line, nullptr, false);
      if (json.is_discarded()) continue;
      found.resize(json["step"].get<size_t>());
      found.back() = json["loss"];
    }
    return found;
  }

  template <class Condition>
  static void wait_until(Condition condition, std::chrono::milliseconds look = std::chrono::milliseconds(1)) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(240);
    for (; std::chrono::steady_clock::now() < end; std::this_thread::sleep_for(look))
      if (condition()) return;
    FAIL() << "the run does not begin";
  }

  void wait_for_steps(size_t steps, const std::string& name = "run") const {
    wait_until([&] { return losses(name).size() >= steps; }, std::chrono::milliseconds(20));
  }

  // The process that is a rank of the run in this folder; 0: there is none.
  int process_of(int rank, const std::string& name = "run") const {
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const std::string pid = entry.path().filename().string();
      if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
      const std::string words = contents(entry.path() / "cmdline"), environment = contents(entry.path() / "environ");
      const std::string wanted = "PMIX_RANK=" + std::to_string(rank) + std::string(1, '\0');
      if (words.find(run_dir(name) + std::string(1, '\0')) != std::string::npos &&
          environment.find(wanted) != std::string::npos)
        return std::stoi(pid);
    }
    return 0;
  }

  // 0: it has none, or several.
  static int only_child(int process) {
    const std::string id = std::to_string(process);
    std::istringstream children(contents("/proc/" + id + "/task/" + id + "/children"));
    int child = 0, another = 0;
    children >> child;
    return children >> another ? 0 : child;
  }

  // Whether it holds a TCP connection: one of its sockets is in the system's table of them, in state 01.
  static bool is_connected(int process) {
    std::error_code gone;
    std::set<std::string> sockets;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/fd", gone))
      sockets.insert(std::filesystem::read_symlink(entry, gone).string());
    std::istringstream table(contents("/proc/net/tcp"));
    for (std::string line; std::getline(table, line);) {
      std::istringstream words(line);
      std::string slot, here, there, state, skipped, inode;
      words >> slot >> here >> there >> state >> skipped >> skipped >> skipped >> skipped >> skipped >> inode;
      if (state == "01" && sockets.contains("socket:[" + inode + "]")) return true;
    }
    return false;
  }

  // False when there is no such rank: a signal to process 0 would go to the tests themselves.
  bool signal_rank(int rank, int signal, const std::string& name = "run") const {
    const int process = process_of(rank, name);
    return process != 0 && kill(process, signal) == 0;
  }

  // Of this run, mpirun included.
  int processes(const std::string& name = "run") const {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc"))
      count += contents(entry.path() / "cmdline").find(run_dir(name) + std::string(1, '\0')) != std::string::npos;
    return count;
  }

  // Nobody is left, after at most a minute.
  void expect_nobody_left(const std::string& name = "run") const {
    for (int i = 0; i < 1200 && processes(name) > 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(processes(name), 0);
  }

  uint32_t weights(const std::string& name = "run") const {
    const auto checkpoint = read_checkpoint(run_dir(name), CheckpointKind::last);
    EXPECT_TRUE(checkpoint.ok() && checkpoint->has_value());
    return checkpoint.ok() && *checkpoint ? (*checkpoint)->checksum : 0;
  }

  TemporaryFolder data_, folder_;

 private:
  static std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

}  // namespace plimsoll
