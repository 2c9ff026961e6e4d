// sweep from the command line: runs of a moment, stopped and gone on with.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/harness/run_program.h"
#include "tests/idx_set.h"

namespace plimsoll {
namespace {

class SweepVerb : public testing::Test {
 protected:
  SweepVerb() { write_idx_set(data_); }

  std::vector<std::string> sweep(std::vector<std::string> more) const {
    std::vector<std::string> all{"sweep",      "mlp",       "--input", "1x8x8",  "--classes", "4",    "--data",
                                 data_.path(), "--threads", "1",       "--json", "--run-dir", "sweep"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Ran run(const std::vector<std::string>& more) const { return run_plimsoll(sweep(more), folder_.path()); }
  std::string file(const std::string& name) const { return folder_.path() + "/sweep/" + name; }

  TemporaryFolder data_, folder_;
};

TEST_F(SweepVerb, RunsEveryPointOnceAndKeepsIt) {
  const std::vector<std::string> flags{"--epochs", "3", "--batch", "4,16", "--lr", "0.01,0.1", "--goal-loss", "1"};
  const Ran first = run(flags);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const nlohmann::json json = nlohmann::json::parse(first.out);
  EXPECT_EQ(json["schema"], "plimsoll.sweep/1");
  ASSERT_EQ(json["points"].size(), 4u);
  EXPECT_EQ(json["points"][3]["batch"], 16);
  EXPECT_EQ(json["points"][3]["learning_rate"], "0.1");
  for (const auto& point : json["points"]) {
    EXPECT_GT(point["steps"], 0);
    EXPECT_TRUE(point["test_accuracy"].is_number());
  }
  const auto trained = std::filesystem::last_write_time(file("batch-4_lr-0.01.json"));
  ASSERT_TRUE(std::filesystem::remove(file("batch-16_lr-0.1.json")));
  std::filesystem::remove_all(file("batch-16_lr-0.1"));
  auto more = flags;
  more.insert(more.end(), {"--plot", "sweep.svg"});
  const Ran again = run(more);
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(std::filesystem::last_write_time(file("batch-4_lr-0.01.json")), trained) << "not run again";
  const auto repeated = nlohmann::json::parse(again.out)["points"];
  EXPECT_EQ(repeated[3]["train_loss"], json["points"][3]["train_loss"]) << "the same seed, the same run";
  EXPECT_TRUE(std::filesystem::exists(folder_.path() + "/sweep.svg"));
}

TEST_F(SweepVerb, ABatchIsThatOfAllItsMicroBatches) {
  const Ran ran = run({"--epochs", "1", "--batch", "4,8", "--micro-batches", "2"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto points = nlohmann::json::parse(ran.out)["points"];
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0]["batch"], 8);
  EXPECT_EQ(points[1]["batch"], 16);
  EXPECT_EQ(points[1]["steps"], 6);  // 108 samples that are trained on
}

TEST_F(SweepVerb, ARunThatDivergesIsAPoint) {
  const Ran ran = run({"--epochs", "4", "--batch", "8", "--lr", "0.01,100000"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto points = nlohmann::json::parse(ran.out)["points"];
  EXPECT_FALSE(points[0]["diverged"]);
  EXPECT_TRUE(points[1]["diverged"]);
  EXPECT_TRUE(points[1]["train_loss"].is_null());
}

TEST_F(SweepVerb, OtherFlagsAreAnotherSweep) {
  ASSERT_EQ(run({"--epochs", "1", "--batch", "8"}).exit_code, 0);
  const Ran other = run({"--epochs", "2", "--batch", "8"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("--epochs is not what the sweep was started with"), std::string::npos) << other.err;
  const Ran grown = run({"--epochs", "1", "--batch", "8,16"});
  EXPECT_EQ(grown.exit_code, 0) << grown.err;
}

TEST_F(SweepVerb, ToldToStopItSavesAndGoesOnLater) {
  std::vector<std::string> words = sweep({"--epochs", "100000", "--batch", "4", "--seed", "0,1"});
  words.insert(words.begin(), PLIM_PROGRAM);
  StartedProgram started(words, folder_.path());
  const auto has_begun = [&] {
    std::ifstream log(file("batch-4_seed-0/log.jsonl"));
    const std::string text{std::istreambuf_iterator<char>(log), {}};
    return text.find("\"event\":\"step\"") != std::string::npos;
  };
  for (int i = 0; i < 4800 && !has_begun(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  kill(started.pid(), SIGTERM);
  const Ran stopped = started.wait();
  EXPECT_EQ(stopped.exit_code, 75) << stopped.err;
  EXPECT_NE(stopped.err.find("the same command continues from here"), std::string::npos) << stopped.err;
  EXPECT_FALSE(std::filesystem::exists(file("batch-4_seed-0.json")));
  EXPECT_TRUE(std::filesystem::exists(file("batch-4_seed-0/last.json")));
}

}  // namespace
}  // namespace plimsoll
