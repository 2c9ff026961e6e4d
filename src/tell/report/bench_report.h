// What bench measured, as text.
#pragma once

#include <string>
#include <vector>

#include "run/bench/bench_view.h"

namespace plimsoll {

std::string bench_text(const std::vector<BenchRun>& runs, const BenchView& view);

// "batch 8, winograd": what tells this row's step from those of other rows.
std::string step_label(const BenchRun& run, const std::vector<BenchRun>& runs);

// Whether rows differ in this: if (differ(runs, &BenchRun::conv)) …
template <class Field>
bool differ(const std::vector<BenchRun>& runs, Field BenchRun::*field) {
  for (const auto& run : runs)
    if (run.*field != runs.front().*field) return true;
  return false;
}

}  // namespace plimsoll
