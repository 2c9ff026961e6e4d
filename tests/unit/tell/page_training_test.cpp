// Trainings that the page starts: off unless the server may, by names alone, one at a time, stopped and resumed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tests/harness/run_program.h"
#include "tests/harness/served_page.h"

namespace plimsoll {
namespace {

using nlohmann::json;

std::string big_endian(std::initializer_list<uint32_t> numbers) {
  std::string bytes;
  for (const uint32_t number : numbers)
    for (int shift = 24; shift >= 0; shift -= 8) bytes += char(number >> shift);
  return bytes;
}

// A set of 200 pictures, 8 by 8, four classes.
std::string write_set(const TemporaryFolder& folder) {
  constexpr uint32_t kSamples = 200, kSide = 8, kClasses = 4;
  std::string pixels = big_endian({0x803, kSamples, kSide, kSide}), labels = big_endian({0x801, kSamples});
  for (uint32_t i = 0; i < kSamples; ++i) {
    pixels += std::string(kSide * kSide, char(60 * (i % kClasses)));
    labels += char(i % kClasses);
  }
  std::filesystem::create_directories(folder.path() + "/clocks");
  folder.write("clocks/train-images-idx3-ubyte", pixels);
  folder.write("clocks/train-labels-idx1-ubyte", labels);
  return folder.path() + "/clocks";
}

class PageTraining : public testing::Test {
 protected:
  // A training outlives its server, but not its test: one that failed would leave it to train for ever.
  void TearDown() override {
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const int process = std::atoi(entry.path().filename().c_str());
      std::ifstream file(entry.path() / "cmdline");
      const std::string words{std::istreambuf_iterator<char>(file), {}};
      if (process > 1 && words.find(folder_.path() + "/runs/") != std::string::npos) kill(process, SIGKILL);
    }
  }

  std::vector<std::string> flags(std::vector<std::string> more = {}) const {
    std::vector<std::string> all{"--runs", folder_.path() + "/runs"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  static json runs(const ServedPage& page) { return json::parse(page.get("/api/runs").body); }

  // Looks at the list until it is as wanted; its last state.
  static json wait_until(const ServedPage& page, const std::function<bool(const json&)>& wanted) {
    constexpr int kLooks = 2400;  // four minutes: a machine may do much else
    json list = runs(page);
    for (int i = 0; i < kLooks && !wanted(list); ++i, list = runs(page)) usleep(100'000);
    return list;
  }

  static bool trains(const json& list) {
    return !list["runs"].empty() && list["runs"][0]["running"] == true && list["runs"][0].contains("step");
  }
  static bool rests(const json& list) {
    return !list["runs"].empty() && list["runs"][0]["running"] == false && list["started"]["alive"] == false;
  }

  size_t folders() const {
    const std::filesystem::path runs = folder_.path() + "/runs";
    if (!std::filesystem::exists(runs)) return 0;
    return size_t(std::distance(std::filesystem::directory_iterator(runs), std::filesystem::directory_iterator()));
  }

  TemporaryFolder folder_;
  const std::string set_ = write_set(folder_);
  const json asked_{{"model", "mlp"}, {"data", "clocks"}, {"batch", 16}, {"epochs", 100'000}};
};

TEST_F(PageTraining, IsOffUnlessTheServerMay) {
  const ServedPage page(flags());
  const RawReply reply = page.post("/api/runs/start", asked_.dump());
  EXPECT_EQ(reply.status, 422);
  EXPECT_NE(reply.body.find("plimsoll serve --train"), std::string::npos) << reply.body;
  EXPECT_EQ(page.post("/api/runs/resume", R"({"run": "1"})").status, 422);
  EXPECT_FALSE(runs(page).contains("sets"));
  EXPECT_EQ(folders(), 0u);
  EXPECT_EQ(run_plimsoll({"serve", "--data", set_}).exit_code, 2);  // which would mean nothing
}

TEST_F(PageTraining, TakesNamesAlone) {
  const ServedPage page(flags({"--train", "--data", set_}));
  EXPECT_EQ(runs(page)["sets"][0]["name"], "clocks");
  EXPECT_EQ(runs(page)["sets"][0]["classes"], 4);
  EXPECT_EQ(page.get("/api/runs").body.find(set_), std::string::npos);  // where it is stays with the server
  const std::string file = std::string(PLIM_TEST_DATA) + "/models/resnet18.onnx";
  for (const auto& [name, value] : {std::pair<const char*, json>("model", file),
                                    {"model", "/etc/passwd"},
                                    {"model", "--help"},
                                    {"model", 5},
                                    {"data", set_},
                                    {"data", "cifar10"},
                                    {"data", "../clocks"},
                                    {"data", "--seed=1"},
                                    {"run_dir", "/tmp/x"},
                                    {"hosts", "elsewhere:4"},
                                    {"np", 2},
                                    {"device", "torch:cpu"},
                                    {"resume", true},
                                    {"backend", "onednn"},
                                    {"batch", 0},
                                    {"epochs", -1},
                                    {"lr", "x"},
                                    {"input", "--run-dir=/tmp/x"},
                                    {"nonsense", 1}}) {
    json wrong = asked_;
    wrong[name] = value;
    const RawReply reply = page.post("/api/runs/start", wrong.dump());
    EXPECT_EQ(reply.status, 422) << wrong << reply.body;
    EXPECT_EQ(json::parse(reply.body)["schema"], "plimsoll.error/1");
  }
  for (const char* run : {"1", "../clocks", "", "/etc"})
    EXPECT_EQ(page.post("/api/runs/resume", json{{"run", run}}.dump()).status, 422) << run;
  EXPECT_EQ(folders(), 0u);
}

TEST_F(PageTraining, StartsStopsAndGoesOn) {
  const ServedPage page(flags({"--train", "--data", set_}));
  const RawReply started = page.post("/api/runs/start", asked_.dump());
  ASSERT_EQ(started.status, 200) << started.body;
  EXPECT_EQ(json::parse(started.body)["run"], "mlp-1");
  EXPECT_EQ(page.post("/api/runs/start", asked_.dump()).status, 422);  // one at a time, from the first moment
  json list = wait_until(page, trains);
  ASSERT_TRUE(trains(list)) << list;
  EXPECT_EQ(list["runs"][0]["name"], "mlp-1");
  const std::string run = list["runs"][0]["id"];
  EXPECT_EQ(page.post("/api/runs/resume", json{{"run", run}}.dump()).status, 422);
  EXPECT_EQ(page.post("/api/runs/stop", json{{"run", run}}.dump()).status, 200);
  list = wait_until(page, rests);
  ASSERT_TRUE(rests(list)) << list;
  EXPECT_EQ(list["runs"][0]["ended"], "interrupted");  // saved
  EXPECT_EQ(list["started"]["failed"], "");
  const int64_t step = list["runs"][0]["step"];
  ASSERT_EQ(page.post("/api/runs/resume", json{{"run", run}}.dump()).status, 200);
  list = wait_until(page, [&](const json& now) { return trains(now) && now["runs"][0]["step"] > step; });
  EXPECT_GT(list["runs"][0]["step"], step);
  EXPECT_EQ(page.post("/api/runs/stop", json{{"run", run}}.dump()).status, 200);
  EXPECT_TRUE(rests(wait_until(page, rests)));
  EXPECT_EQ(folders(), 1u);
}

// It has a session of its own, and the folder says to the next server that it trains.
TEST_F(PageTraining, OutlivesTheServer) {
  ServedPage first(flags({"--train", "--data", set_}));
  ASSERT_EQ(first.post("/api/runs/start", asked_.dump()).status, 200);
  ASSERT_TRUE(trains(wait_until(first, trains)));
  EXPECT_EQ(first.stop(), 0);
  const ServedPage second(flags({"--train", "--data", set_}));
  const json list = runs(second);
  ASSERT_TRUE(trains(list)) << list;
  EXPECT_EQ(second.post("/api/runs/start", asked_.dump()).status, 422);
  const std::string stop = json{{"run", list["runs"][0]["id"]}}.dump();
  EXPECT_EQ(second.post("/api/runs/stop", stop).status, 200);
  const auto ended = [](const json& now) { return now["runs"][0]["running"] == false; };
  EXPECT_TRUE(ended(wait_until(second, ended)));
}

TEST_F(PageTraining, WhatCannotTrainIsSaidAndLeavesNothing) {
  const ServedPage page(flags({"--train", "--data", set_}));
  json wrong = asked_;
  wrong["model"] = "textcnn";  // which reads words
  ASSERT_EQ(page.post("/api/runs/start", wrong.dump()).status, 200);
  const json list = wait_until(page, [](const json& now) { return now["started"]["alive"] == false; });
  EXPECT_NE(list["started"]["failed"], "") << list;
  EXPECT_EQ(list["started"]["run"], "textcnn-1");
  EXPECT_EQ(folders(), 0u);
}

}  // namespace
}  // namespace plimsoll
