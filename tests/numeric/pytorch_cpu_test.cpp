// PyTorch on a CPU, eager, against what it really takes: steps of networks on one core of a machine that was probed
// then (docs/pytorch_cpu.md). Nothing was fitted to these steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "plan/ask/verb.h"

namespace plimsoll {
namespace {

constexpr const char* kFolder = PLIM_TEST_DATA "/pytorch_cpu/";

struct CpuStep {
  std::string network, mode;
  int64_t batch = 0, tokens = 0;
  double seconds = 0, resident = 0;
};

std::vector<CpuStep> measured_steps() {
  std::ifstream in(std::string(kFolder) + "steps.csv");
  std::vector<CpuStep> steps;
  std::string line;
  std::getline(in, line);  // the columns
  while (std::getline(in, line)) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    if (cells.size() != 7) continue;
    steps.push_back({cells[0], cells[3], std::atoll(cells[1].c_str()), std::atoll(cells[2].c_str()),
                     std::atof(cells[4].c_str()), std::atof(cells[6].c_str())});
  }
  return steps;
}

struct Predicted {
  double seconds = 0, peak = 0;
};

Predicted predicted(const CpuStep& step) {
  Json request{{"model", step.network},
               {"mode", step.mode},
               {"batch", step.batch},
               {"framework", "pytorch"},
               {"device", std::string(kFolder) + "machine.json"}};
  if (step.tokens > 0) request["sequence"] = step.tokens;
  const auto answer = ask("place", request);
  EXPECT_TRUE(answer.ok()) << answer.error().line();
  const Json& first = answer->document["ranking"][0];
  return {first["stages"]["compute_seconds"].get<double>(), first["peak_bytes"].get<double>()};
}

double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return (numbers[numbers.size() / 2] + numbers[(numbers.size() - 1) / 2]) / 2;
}

TEST(PyTorchOnACpu, StepsAreWithin15PerCentInTheMedian) {
  std::map<std::string, std::vector<double>> times, memory;
  for (const auto& step : measured_steps()) {
    const Predicted found = predicted(step);
    times[step.mode].push_back(std::abs(found.seconds / step.seconds - 1));
    memory[step.mode].push_back(std::abs(found.peak / step.resident - 1));
    EXPECT_LT(times[step.mode].back(), 0.5) << step.network << " " << step.mode;
    EXPECT_LT(memory[step.mode].back(), 0.4) << step.network << " " << step.mode;
  }
  ASSERT_EQ(times.size(), 2U);
  for (const auto& [mode, off] : times) {
    EXPECT_GE(off.size(), 10U);
    EXPECT_LT(median(off), 0.15) << mode;
    EXPECT_LT(median(memory[mode]), 0.15) << mode;
  }
}

// Half the rate of products takes longer, and more memory is never less.
TEST(PyTorchOnACpu, ACatalogCpuIsAnsweredToo) {
  Json request{{"model", "resnet18"}, {"batch", 16}, {"framework", "pytorch"}, {"device", "intel-xeon-platinum-8175m"}};
  const auto answer = ask("place", request);
  ASSERT_TRUE(answer.ok()) << answer.error().line();
  const Json f32 = answer->document["ranking"][0];
  EXPECT_EQ(f32["framework"], "pytorch");
  EXPECT_GT(f32["stages"]["compute_seconds"].get<double>(), 0.01);
  request["batch"] = 32;
  const auto twice = ask("place", request);
  ASSERT_TRUE(twice.ok());
  EXPECT_GT(twice->document["ranking"][0]["peak_bytes"].get<double>(), f32["peak_bytes"].get<double>());
}

// A machine that multiplies faster in bf16 is faster in it, whatever its products were measured in.
TEST(PyTorchOnACpu, Bf16IsFasterWhereTheMachineHasIt) {
  Json request{
      {"model", "vit_b_16"}, {"batch", 8}, {"framework", "pytorch"}, {"device", std::string(kFolder) + "machine.json"}};
  const auto f32 = ask("place", request);
  request["dtype"] = "bf16";
  const auto bf16 = ask("place", request);
  ASSERT_TRUE(f32.ok() && bf16.ok());
  EXPECT_LT(bf16->document["ranking"][0]["step_seconds"].get<double>(),
            0.8 * f32->document["ranking"][0]["step_seconds"].get<double>());
}

}  // namespace
}  // namespace plimsoll
