// The verbs that plan and measure, on torch:cpu: fit says what a run plans and takes, probe keeps a device file that
// predictions go by.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/harness/run_program.h"
#include "tests/torch_here.h"

namespace plimsoll {
namespace {

class TorchVerbs : public testing::Test {
 protected:
  // What it prints; `folder_` is where probes are kept.
  nlohmann::json asked(std::vector<std::string> words, int exit_code = 0) {
    words.insert(words.begin(), PLIM_PROGRAM);
    words.emplace_back("--json");
    const Ran ran = StartedProgram(words, ".", {"PLIMSOLL_PROBE=" + folder_.path() + "/this.json"}).wait();
    EXPECT_EQ(ran.exit_code, exit_code) << ran.err;
    return nlohmann::json::parse(ran.out, nullptr, false);
  }

  TemporaryFolder folder_;
};

constexpr int64_t kMiB = 1 << 20;

TEST_F(TorchVerbs, FitSaysWhatARunPlansAndTakes) {
  PLIM_NEEDS_TORCH();
  for (const char* network : {"lenet5", "fmnist_cnn"}) {
    SCOPED_TRACE(network);
    const auto fit =
        asked({"fit", network, "--device", "torch:cpu", "--batch", "32", "--threads", "1", "--memory", "1GiB"});
    EXPECT_EQ(fit["device"], "torch:cpu");
    EXPECT_EQ(fit["framework"], "plimsoll");
    EXPECT_EQ(fit["fits"], true);
    const auto run = asked({"bench", network, "--device", "torch:cpu", "--batch", "32", "--threads", "1", "--steps",
                            "3", "--seconds", "0"})["runs"][0];
    // What libraries hold is measured in both; a bench measures it in a child, which touches their pages again.
    const auto parts = fit["breakdown"];
    const int64_t fixed = parts["fixed"];
    EXPECT_NEAR(run["planned_bytes"].get<double>(), fit["peak_bytes"].get<double>(), 32 * kMiB);
    EXPECT_NEAR(run["peak_bytes"].get<double>(), fit["peak_bytes"].get<double>(),
                std::max(32.0 * kMiB, 0.02 * fit["peak_bytes"].get<double>()));
    EXPECT_GT(fixed, 50 * kMiB);
  }
}

TEST_F(TorchVerbs, FitFindsTheLargestBatch) {
  PLIM_NEEDS_TORCH();
  const auto fit = asked({"fit", "lenet5", "--device", "torch:cpu", "--threads", "1", "--memory", "256MiB"});
  ASSERT_GT(fit["batch"].get<int64_t>(), 1);
  const std::string next = std::to_string(fit["batch"].get<int64_t>() * 9 / 8 + 1);
  asked({"fit", "lenet5", "--device", "torch:cpu", "--threads", "1", "--memory", "256MiB", "--batch", next}, 1);
}

TEST_F(TorchVerbs, ProbeKeepsADeviceFileThatPredictionsGoBy) {
  PLIM_NEEDS_TORCH();
  const std::vector<std::string> bench{"bench",     "lenet5", "--device", "torch:cpu", "--batch",   "16",
                                       "--threads", "1",      "--steps",  "2",         "--seconds", "0"};
  EXPECT_TRUE(asked(bench)["runs"][0]["predicted_step_seconds"].is_null());
  const auto probe = asked({"probe", "--device", "torch:cpu", "--quick"});
  EXPECT_EQ(probe["device"], "torch:cpu");
  EXPECT_EQ(probe["kept_in"], folder_.path() + "/torch-cpu.json");
  for (const auto& product : probe["products"]) EXPECT_GT(product["flops_per_second"], 1e6) << product;
  EXPECT_GT(probe["copy_bytes_per_second"], 1e6);
  EXPECT_GT(probe["call_seconds"], 0);
  EXPECT_TRUE(std::filesystem::exists(folder_.path() + "/torch-cpu.json"));
  EXPECT_GT(asked(bench)["runs"][0]["predicted_step_seconds"], 0);
  const auto placed = asked({"place", "lenet5", "--device", folder_.path() + "/torch-cpu.json", "--framework",
                             "pytorch", "--samples", "1000", "--epochs", "1"});
  EXPECT_EQ(placed["ranking"][0]["device"], "torch-cpu");
}

TEST_F(TorchVerbs, CheckWritesAReportWithThePrediction) {
  PLIM_NEEDS_TORCH();
  asked({"probe", "--device", "torch:cpu", "--quick"});
  const std::string file = folder_.path() + "/report.json";
  asked({"bench", "lenet5", "--device", "torch:cpu", "--batch", "4", "--threads", "1", "--steps", "1", "--seconds", "0",
         "--compute", "bf16,channels-last", "--check", file});
  const auto narrow = nlohmann::json::parse(std::ifstream(file));
  EXPECT_EQ(narrow["agrees"], true);
  EXPECT_EQ(narrow["format"], "bf16,channels-last");
  asked({"bench", "lenet5", "--device", "torch:cpu", "--batch", "4", "--threads", "1", "--steps", "1", "--seconds", "0",
         "--check", file});
  const auto report = nlohmann::json::parse(std::ifstream(file));
  EXPECT_EQ(report["agrees"], true);
  EXPECT_EQ(report["memory"]["bytes_beyond_plan"], 0);
  EXPECT_GT(report["predicted_step_seconds"], 0);
  EXPECT_GT(report["step_seconds"], 0);
}

}  // namespace
}  // namespace plimsoll
