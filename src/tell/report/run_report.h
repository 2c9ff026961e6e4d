// report.html of a run: one file that needs nothing beside it. Loss and accuracy by epoch, the learning rate,
// speed, use of the machine over time, and what was planned against what was measured. Made from log.jsonl.
#pragma once

#include "base/rows/json.h"
#include "run/train/run_directory.h"
#include "tell/report/train_report.h"

namespace plimsoll {

Status write_run_report(const RunDirectory& directory, const TrainingOutlook& outlook, const TrainingResult& result);

// From the lines of a log, newest run of each step. `config`: of the run.
std::string run_report_html(const Json& config, const std::vector<Json>& log, const TrainingOutlook& outlook,
                            const TrainingResult& result);

}  // namespace plimsoll
