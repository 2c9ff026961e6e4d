#include "run/bench/bench_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/size_text.h"
#include "base/text.h"

namespace plimsoll {
namespace {

bool same_step(const BenchRun& a, const BenchRun& b) { return a.batch == b.batch && a.conv == b.conv; }

// The rows of each batch and way, in the order of their first.
std::vector<std::vector<const BenchRun*>> by_step(const std::vector<BenchRun>& runs) {
  std::vector<std::vector<const BenchRun*>> groups;
  for (const auto& run : runs) {
    const auto group =
        std::find_if(groups.begin(), groups.end(), [&](const auto& rows) { return same_step(*rows.front(), run); });
    if (group == groups.end()) groups.push_back({&run});
    else group->push_back(&run);
  }
  return groups;
}

bool faster(const BenchRun* a, const BenchRun* b) { return a->result.median() < b->result.median(); }

}  // namespace

Flops step_flops(const Program& step) {
  Flops total;
  for (const auto& operation : step.operations)
    total += operation.cost.flops * operation.repeat * (operation.phase == Phase::update ? 1 : step.micro_batches);
  return total;
}

void compare_threads(std::vector<BenchRun>& runs) {
  for (auto& run : runs) {
    const auto first = std::find_if(runs.begin(), runs.end(), [&](const auto& other) { return same_step(other, run); });
    run.speedup = first->result.median().value / run.result.median().value;
  }
}

std::vector<BestThreads> best_threads(const std::vector<BenchRun>& runs) {
  std::vector<BestThreads> found;
  for (const auto& rows : by_step(runs)) {
    const BenchRun* fastest = *std::min_element(rows.begin(), rows.end(), faster);
    const BenchRun* best = fastest;
    for (const BenchRun* row : rows)
      if (row->threads < best->threads && row->result.quartile(1) <= fastest->result.quartile(3)) best = row;
    const auto other = [&](const BenchRun* row) { return row->threads != fastest->threads; };
    if (std::none_of(rows.begin(), rows.end(), other)) continue;
    found.push_back({best->conv, best->batch, best->threads, fastest->threads,
                     best->result.median().value / fastest->result.median().value - 1});
  }
  return found;
}

std::string why_best(const BestThreads& best) {
  if (best.threads == best.fastest) return "the fastest";
  return fmt::format("{} are {} faster, which the spread hides", best.fastest,
                     percent(best.slower / (1 + best.slower)));
}

}  // namespace plimsoll
