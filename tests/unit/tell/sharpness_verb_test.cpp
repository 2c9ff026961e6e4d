// sharpness from the command line, on runs of a moment.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/harness/run_program.h"
#include "tests/idx_set.h"

namespace plimsoll {
namespace {

TEST(SharpnessVerb, ComparesTwoRunsAndDrawsThem) {
  const TemporaryFolder data, folder;
  write_idx_set(data);
  for (const std::string batch : {"4", "16"}) {
    const Ran trained = run_plimsoll({"train", "mlp", "--input", "1x8x8", "--classes", "4", "--data", data.path(),
                                      "--epochs", "3", "--threads", "1", "--batch", batch, "--run-dir", "b" + batch},
                                     folder.path());
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
  }
  const Ran ran = run_plimsoll({"sharpness", "b4", "b16", "--batch", "8", "--epsilon", "0.001,0.01", "--points", "5",
                                "--directions", "2", "--threads", "1", "--plot", "s.svg", "--json"},
                               folder.path());
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const nlohmann::json json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["schema"], "plimsoll.sharpness/1");
  ASSERT_EQ(json["runs"].size(), 2u);
  EXPECT_EQ(json["runs"][1]["batch"], 16);
  for (const auto& run : json["runs"]) {
    ASSERT_EQ(run["sharpness"].size(), 2u);
    EXPECT_GT(run["sharpness"][0]["percent"].get<double>(), 0);
    EXPECT_GT(run["sharpness"][1]["percent"].get<double>(), run["sharpness"][0]["percent"].get<double>());
    ASSERT_EQ(run["losses_along"].size(), 2u);
    EXPECT_DOUBLE_EQ(run["losses_along"][0][2].get<double>(), run["loss"].get<double>()) << "the middle of the line";
    EXPECT_NE(run["losses_along"][0][0], run["losses_along"][1][0]) << "two directions";
  }
  EXPECT_TRUE(std::filesystem::exists(folder.path() + "/s.svg"));
}

}  // namespace
}  // namespace plimsoll
