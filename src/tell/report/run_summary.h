// RunSummary: what a run's folder says of it, read back: how it was set up, how it went, how it ended. A report of
// several runs compares these.
#pragma once

#include "run/train/judged_run.h"
#include "tell/report/html.h"
#include "tell/report/run_plots.h"

namespace plimsoll {

struct RunSummary {
  std::string path;
  Json config;
  LoggedRun logged;
  std::vector<std::string> class_names;
  std::optional<JudgedRun> judged;
  std::string not_judged;  // why, when it is not

  std::string text(const char* field) const;  // of the configuration; "" when it has none
  std::vector<Json> events(std::string_view kind) const;
  std::string class_name(int64_t index) const;
};

Result<RunSummary> read_run(const std::string& folder);

// Loss and accuracy of each epoch, those of all runs over each other.
std::vector<Plot> epoch_plots(const std::vector<RunSummary>& runs);

// `command`: that asks for the report again.
void add_runs(HtmlPage& page, const std::vector<RunSummary>& runs, const std::string& command);

}  // namespace plimsoll
