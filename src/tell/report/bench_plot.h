// What bench measured, as plots: time per epoch and speed-up against threads, time per step against batch.
#pragma once

#include <vector>

#include "tell/report/bench_report.h"
#include "tell/report/plot.h"

namespace plimsoll {

// Those for which the rows have several numbers of threads, or several batches.
std::vector<Plot> bench_plots(const std::vector<BenchRun>& runs, const BenchView& view);

}  // namespace plimsoll
