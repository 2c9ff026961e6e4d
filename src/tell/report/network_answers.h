// NetworkAnswers: what weigh, fit and place say about one network, gathered for its report.
#pragma once

#include "tell/report/network_report.h"
#include "tell/report/report_request.h"

namespace plimsoll {

// Kept together: the report borrows from them.
struct NetworkAnswers {
  std::shared_ptr<const Network> network;
  std::shared_ptr<const Network> trained;  // as it is trained: fit and place borrow it
  FitOutcome fit;
  PlaceOutcome place;
};

Result<NetworkAnswers> ask_network(const ReportRequest& request, const ModelRequest& model);

Result<NetworkReport> report_of(const ReportRequest& request, const ModelSource& source, const NetworkAnswers& answers);

}  // namespace plimsoll
