// report, asked and answered: networks and runs on one page.
#pragma once

#include "tell/report/report_reply.h"
#include "tell/report/report_request.h"

namespace plimsoll {

struct ReportAnswer {
  HtmlPage page;
  std::vector<Json> networks;  // each as NetworkReply; of text what fit and place answer
  std::vector<RunSummary> runs;
};

// `say` is told what is done with the data of runs.
Result<ReportAnswer> ask_report(const ReportRequest& request, const DataLines& say);

}  // namespace plimsoll
