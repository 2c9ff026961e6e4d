// ReportRequest: what a report is about.
#pragma once

#include "plan/ask/place_request.h"

namespace plimsoll {

struct ReportRequest {
  std::vector<std::string> subjects, devices;
  ModelRequest sizes;  // of networks; its source is not used
  std::optional<int64_t> batch;
  StepRequest step;
  JobRequest work;
  std::string output = "report.html";
  bool no_judging = false;

  void describe(Fields& fields);
};

}  // namespace plimsoll
