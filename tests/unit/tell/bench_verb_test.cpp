// bench from the command line, on a network that takes a moment. Nothing here depends on how fast the machine is.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/harness/run_program.h"

namespace plimsoll {
namespace {

class BenchVerb : public testing::Test {
 protected:
  Ran bench(std::vector<std::string> more) const {
    std::vector<std::string> all{"bench", "lenet5", "--steps", "2", "--seconds", "0", "--warm-up", "1"};
    all.insert(all.end(), more.begin(), more.end());
    return run_plimsoll(all, folder_.path());
  }

  TemporaryFolder folder_;
};

TEST_F(BenchVerb, MeasuresEveryWayBatchAndNumberOfThreads) {
  const Ran ran = bench({"--threads", "1,2", "--batch", "1,4", "--conv", "direct,winograd", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  ASSERT_EQ(json["runs"].size(), 8u);
  EXPECT_EQ(json["best"].size(), 4u);
  EXPECT_EQ(json["samples"], 50000);
  for (const auto& run : json["runs"]) {
    EXPECT_GT(run["step_seconds"], 0);
    EXPECT_GT(run["flops"], 0);
    EXPECT_LE(run["quartile_seconds"][0], run["quartile_seconds"][1]);
    EXPECT_NEAR(run["epoch_seconds"].get<double>(), 50000 / run["images_per_second"].get<double>(), 1e-3);
    EXPECT_FALSE(run.contains("profile"));
  }
  EXPECT_EQ(json["runs"][0]["conv"], "direct");
  EXPECT_EQ(json["runs"][7]["conv"], "winograd");
  EXPECT_EQ(json["runs"][7]["batch"], 4);
  EXPECT_EQ(json["runs"][7]["threads"], 2);
}

TEST_F(BenchVerb, DrawsAndSaysSo) {
  const Ran ran = bench({"--threads", "1,2", "--plot", "lenet.svg", "--samples", "60000"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.err.find("Drawn in lenet.svg"), std::string::npos) << ran.err;
  EXPECT_NE(ran.out.find("Best number of threads: "), std::string::npos) << ran.out;
  std::ifstream file(folder_.path() + "/lenet.svg");
  std::ostringstream svg;
  svg << file.rdbuf();
  EXPECT_NE(svg.str().find("60,000 images"), std::string::npos);
  EXPECT_NE(svg.str().find("prefers-color-scheme"), std::string::npos);
}

TEST_F(BenchVerb, ProfilesInTextAndJson) {
  const Ran text = bench({"--profile", "--threads", "1"});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("Where the time goes: batch 1, 1 thread, --conv auto"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("convolution backward weights"), std::string::npos) << text.out;
  const Ran json = bench({"--profile", "--threads", "1", "--json"});
  const auto profile = nlohmann::json::parse(json.out)["runs"][0]["profile"];
  double shares = profile["outside_seconds"].get<double>() / profile["step_seconds"].get<double>();
  for (const auto& kind : profile["kinds"]) shares += kind["share"].get<double>();
  EXPECT_NEAR(shares, 1, 1e-6);
}

TEST_F(BenchVerb, AStepHasAllItsMicroBatches) {
  const Ran ran = bench({"--batch", "4", "--micro-batches", "3", "--profile", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto run = nlohmann::json::parse(ran.out)["runs"][0];
  EXPECT_NEAR(run["images_per_second"].get<double>() * run["step_seconds"].get<double>(), 12, 1e-6);
  int64_t convolutions = 0;
  for (const auto& kind : run["profile"]["kinds"])
    if (kind["kind"].get<std::string>().starts_with("convolution forward")) {
      convolutions += kind["operations"].get<int64_t>();
    }
  EXPECT_EQ(convolutions, 6) << "two layers, three passes";
}

}  // namespace
}  // namespace plimsoll
