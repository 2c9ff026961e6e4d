// What we say about serving language models against published runs: memory, tokens a second, prompts.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "plan/serving/serving_accuracy.h"
#include "tests/accuracy/measured_steps.h"
#include "tests/accuracy/serving_runs.h"

namespace plimsoll {
namespace {

using Wanted = std::function<bool(const ServingRun&)>;

const std::vector<ServingRun>& all_runs() {
  static const std::vector<ServingRun> kRuns = [] {
    auto runs = serving_speed_runs();
    for (auto& run : serving_memory_runs()) runs.push_back(std::move(run));
    return runs;
  }();
  return kRuns;
}

std::vector<double> errors_of(const Wanted& wanted) {
  std::vector<double> errors;
  for (const auto& run : all_runs())
    if (wanted(run)) errors.push_back(run.error());
  return errors;
}

double median_error(const Wanted& wanted) {
  const auto errors = errors_of(wanted);
  EXPECT_FALSE(errors.empty());
  return errors.empty() ? 1 : median(errors);
}

bool writes(const ServingRun& run) { return run.measure == "decode" || run.measure == "throughput"; }
bool reads(const ServingRun& run) { return run.measure == "prefill"; }
bool remembers(const ServingRun& run) { return run.measure == "memory"; }

TEST(Serving, MemoryIsWithinFivePercent) {
  EXPECT_LT(median_error(remembers), 0.05);
  EXPECT_LT(median_error([](const ServingRun& run) { return remembers(run) && run.prompt >= 6144; }), 0.05);
}

TEST(Serving, TokensASecondAreWithinTwelvePercent) {
  EXPECT_LT(median_error(writes), 0.12);
  for (const Framework framework : {Framework::hf, Framework::vllm, Framework::gpt_fast, Framework::llama_cpp})
    EXPECT_LT(median_error([=](const ServingRun& run) { return writes(run) && run.framework == framework; }), 0.12)
        << name_of(framework);
}

TEST(Serving, PromptsAreWithinTwentyPercent) { EXPECT_LT(median_error(reads), 0.20); }

TEST(Serving, NoCardAndNoNetworkIsFarOff) {
  std::map<std::string, std::vector<double>> by;
  for (const auto& run : all_runs())
    if (writes(run)) {
      by[run.device].push_back(run.error());
      by[run.model].push_back(run.error());
    }
  for (const auto& [name, errors] : by) {
    if (errors.size() >= 5) {
      EXPECT_LT(median(errors), 0.25) << name;
    }
  }
}

bool is_told(const ServingRun& run, const ServingAccuracy& told) {
  if (run.framework != told.framework || run.on != told.on) return false;
  if (told.what.starts_with("memory")) return remembers(run);
  return told.what.starts_with("prompt") ? reads(run) : writes(run);
}

// What answers say of themselves is what was measured, to half a percentage point.
TEST(Serving, AccuracyIsAsItIsTold) {
  for (const auto& told : serving_accuracy()) {
    const auto errors = errors_of([&](const ServingRun& run) {
      if (told.what.find("mixture-of-experts") != std::string::npos)
        return is_told(run, told) && run.model == "qwen2-57b-a14b";
      return is_told(run, told);
    });
    ASSERT_FALSE(errors.empty());
    EXPECT_EQ(int64_t(errors.size()), told.rows) << name_of(told.framework) << " " << told.what;
    EXPECT_NEAR(median(errors), told.median_error, 0.005) << name_of(told.framework) << " " << told.what;
  }
}

}  // namespace
}  // namespace plimsoll
