// A training beside a page whose port is taken, whose browsers go away, which has a hundred tabs, and which is killed
// (25): it ends as if nobody had looked.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/harness/run_program.h"
#include "tests/harness/served_page.h"
#include "tests/idx_set.h"

namespace plimsoll {
namespace {

constexpr int64_t kMoreStepsThanAnybodyWaitsFor = 100'000'000;

class PageFault : public testing::Test {
 protected:
  PageFault() { write_idx_set(data_); }

  std::vector<std::string> training(const std::string& name, int64_t steps) const {
    std::vector<std::string> words{PLIM_PROGRAM, "train", "logistic", "--input", "1x8x8", "--classes", "4", "--data"};
    words.insert(words.end(), {data_.path(), "--batch", "4", "--quiet", "--json", "--threads", "1", "--loaders", "0"});
    words.insert(words.end(), {"--epochs", "100000", "--max-steps", std::to_string(steps)});
    words.insert(words.end(), {"--run-dir", folder_.path() + "/runs/" + name});
    return words;
  }

  // The run that goes on; "" when there is none.
  static std::string running(const ServedPage& page) {
    const auto json = nlohmann::json::parse(page.get("/api/runs").body);
    for (const auto& run : json["runs"])
      if (run["running"] == true) return run["id"];
    return "";
  }

  static std::string wait_for_run(const ServedPage& page) {
    std::string id;
    for (int i = 0; i < 48'000 && id.empty(); ++i) {
      id = running(page);
      usleep(5000);
    }
    return id;
  }

  // Every number that was learnt: the last checkpoint's tensors.
  std::string weights(const std::string& name) const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path() + "/runs/" + name)) {
      const std::string file = entry.path().filename().string();
      if (!file.starts_with("last-") || entry.path().extension() != ".safetensors") continue;
      std::ifstream read(entry.path(), std::ios::binary);
      std::ostringstream text;
      text << read.rdbuf();
      return text.str();
    }
    return "";
  }

  int open_feed(const ServedPage& page, const std::string& run) const {
    const int socket = page.connect();
    send_all(socket, fmt::format("GET /api/runs/feed?run={} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n", run,
                                 page.host(), page.cookie()));
    return socket;
  }

  TemporaryFolder data_, folder_;
};

// It is stopped when all has happened to its page, however long that took: then one that nobody looked at takes as many
// steps and ends with the same weights.
TEST_F(PageFault, TrainingIsUnaffected) {
  ServedPage page({"--runs", folder_.path() + "/runs"});
  StartedProgram watched(training("watched", kMoreStepsThanAnybodyWaitsFor));
  {
    ServedPage beside({"--runs", folder_.path() + "/runs", "--port", std::to_string(page.port())});  // taken
    EXPECT_NE(beside.port(), page.port());
    const std::string run = wait_for_run(page);
    EXPECT_FALSE(run.empty());
    std::vector<int> tabs;
    for (int i = 0; i < 100; ++i) tabs.push_back(open_feed(page, i % 2 ? "" : run));
    EXPECT_EQ(page.get("/").status, 200);                        // there is room for questions beside all tabs
    for (size_t i = 0; i < tabs.size(); i += 2) close(tabs[i]);  // browsers that go away
    EXPECT_EQ(page.get("/api/runs").status, 200);
    kill(page.pid(), SIGKILL);
    EXPECT_EQ(running(beside), run);
    for (size_t i = 1; i < tabs.size(); i += 2) close(tabs[i]);
  }
  kill(watched.pid(), SIGINT);
  const Ran ran = watched.wait();
  EXPECT_EQ(ran.exit_code, 130) << ran.err;
  const int64_t steps = nlohmann::json::parse(ran.out)["steps"];
  EXPECT_GT(steps, 0);
  ASSERT_EQ(StartedProgram(training("alone", steps)).wait().exit_code, 0);
  EXPECT_FALSE(weights("alone").empty());
  EXPECT_EQ(weights("watched"), weights("alone"));
}

TEST_F(PageFault, StoppedFromThePageItSaves) {
  StartedProgram program(training("stopped", kMoreStepsThanAnybodyWaitsFor));
  const ServedPage page({"--runs", folder_.path() + "/runs"});
  const std::string id = wait_for_run(page);
  ASSERT_FALSE(id.empty());
  while (!std::filesystem::exists(folder_.path() + "/runs/stopped/log.jsonl")) usleep(5000);
  EXPECT_EQ(page.post("/api/runs/stop", nlohmann::json{{"run", id}}.dump()).status, 200);
  EXPECT_EQ(program.wait().exit_code, 130);
  EXPECT_FALSE(weights("stopped").empty());
  EXPECT_EQ(page.post("/api/runs/stop", nlohmann::json{{"run", id}}.dump()).status, 422);  // it has ended
}

// The feeds' share of the connections is limited; who comes later is told so.
TEST_F(PageFault, TooManyTabsAreToldSo) {
  ServedPage page({"--runs", folder_.path() + "/runs"});
  std::vector<int> tabs;
  for (int i = 0; i < 80; ++i) tabs.push_back(open_feed(page, ""));
  int refused = 0;
  for (const int tab : tabs) {
    char first[16] = {};
    if (read(tab, first, 12) == 12) refused += std::string(first).ends_with("503");
  }
  EXPECT_EQ(refused, 80 - 64);
  for (const int tab : tabs) close(tab);
  EXPECT_EQ(page.stop(), 0);
}

}  // namespace
}  // namespace plimsoll
