// The verbs that plan and measure, on torch:cpu: fit says what a run plans and takes, probe keeps a device file that
// predictions go by.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "run/bench/bench_request.h"
#include "run/exec/torch/torch_lowering.h"
#include "tests/harness/run_program.h"
#include "tests/steered_step.h"
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
  // What libraries hold is measured in each process and differs by some MiB: an eighth more samples may fit in another.
  const std::string next = std::to_string(fit["batch"].get<int64_t>() * 2);
  asked({"fit", "lenet5", "--device", "torch:cpu", "--threads", "1", "--memory", "256MiB", "--batch", next}, 1);
}

// To try its kernels would take the memory that is missing, and as long as a step.
TEST_F(TorchVerbs, FitTriesNoKernelOfWhatCannotFit) {
  PLIM_NEEDS_TORCH();
  const std::vector<std::string> words{"fit", "vgg16", "--device", "torch:cpu", "--threads", "1", "--memory", "256MiB"};
  const Ran ran = run_plimsoll(words);
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_NE(ran.out.find("No kernel was tried: tensors alone are past the line."), std::string::npos) << ran.out;
  EXPECT_GT(asked(words, 1)["peak_bytes"].get<int64_t>(), int64_t{1} << 30);  // its parameters, twice
  const Ran fits = run_plimsoll({"fit", "lenet5", "--device", "torch:cpu", "--threads", "1", "--memory", "256MiB"});
  EXPECT_EQ(fits.exit_code, 0) << fits.err;
  EXPECT_EQ(fits.out.find("No kernel was tried"), std::string::npos) << fits.out;
}

TEST_F(TorchVerbs, TrialsEndWhereNobodyWouldWaitForThem) {
  PLIM_NEEDS_TORCH();
  const Program bound = zoo_program("lenet5", {}, 3);  // a batch that nothing else in this process has tried
  const auto step = training_step(bound, "momentum");
  ASSERT_TRUE(step.ok());
  EngineOptions engine = 1;
  engine.device.kind = RunDevice::Kind::torch_cpu;
  const auto lowered = torch_lowering(engine, Seconds{0})->lower(*step);
  ASSERT_FALSE(lowered.ok());
  EXPECT_NE(lowered.error().line().find("trying every kernel of a step once on torch:cpu would take about "),
            std::string::npos)
      << lowered.error().line();
  EXPECT_TRUE(torch_lowering(engine)->lower(*step).ok());
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

// A copy of a process whose libtorch has started threads would wait for them for ever.
TEST_F(TorchVerbs, BenchMeasuresWhereTorchIsInUse) {
  PLIM_NEEDS_TORCH();
  BenchRequest request;
  request.model.source.name = "lenet5";
  request.batch = {4, 8};
  request.threads = {2};
  request.device.kind = RunDevice::Kind::torch_cpu;
  request.steps = 1;
  request.seconds = 0;
  for (int i = 0; i < 2; ++i) {
    const auto measured = ask_bench(request);
    ASSERT_TRUE(measured.ok()) << measured.error().line();
    EXPECT_EQ(measured->runs.size(), 2u);
  }
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
