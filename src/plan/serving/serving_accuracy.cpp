#include "plan/serving/serving_accuracy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "base/size_text.h"
#include "base/units.h"

namespace plimsoll {
namespace {

// Written as tests/numeric/serving_test.cpp computes them.
constexpr ServingAccuracy kAccuracy[] = {
    {Framework::hf, ServedOn::gpu, "memory on A100s", 188, 0.010},
    {Framework::hf, ServedOn::gpu, "tokens per second on A100s, one sequence at a time,", 184, 0.044},
    {Framework::vllm, ServedOn::gpu, "tokens per second on A100s, one sequence at a time,", 238, 0.058},
    {Framework::vllm, ServedOn::gpu, "tokens per second of mixture-of-experts models in 2024", 4, 1.66},
    {Framework::gpt_fast, ServedOn::gpu, "tokens per second on A100s and an MI250X, one sequence at a time,", 30,
     0.062},
    {Framework::llama_cpp, ServedOn::gpu, "tokens per second on nine NVIDIA cards", 171, 0.050},
    {Framework::llama_cpp, ServedOn::gpu, "prompt tokens per second", 167, 0.100},
    {Framework::llama_cpp, ServedOn::apple, "tokens per second on four chips", 126, 0.047},
    {Framework::llama_cpp, ServedOn::apple, "prompt tokens per second", 126, 0.036},
};

}  // namespace

std::span<const ServingAccuracy> serving_accuracy() { return kAccuracy; }

std::string accuracy_sentence(Framework framework, ServedOn on) {
  const char* where = on == ServedOn::gpu ? "GPUs" : on == ServedOn::apple ? "Apple's chips" : "CPUs";
  std::vector<std::string> known;
  for (const auto& row : kAccuracy)
    if (row.framework == framework && row.on == on)
      known.push_back(fmt::format("{} by {} in the median of {} published runs", row.what, percent(row.median_error),
                                  with_commas(row.rows)));
  if (known.empty())
    return fmt::format(
        "How far off answers for {} on {} have been is not known: there are no measured runs to compare with.",
        name_of(framework), where);
  return fmt::format("How far off such answers for {} on {} have been: {}.", name_of(framework), where,
                     fmt::join(known, "; "));
}

}  // namespace plimsoll
