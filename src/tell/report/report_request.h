// ReportRequest: what a report is about.
#pragma once

#include "plan/ask/fit_request.h"
#include "plan/ask/place_request.h"

namespace plimsoll {

struct ReportRequest {
  std::vector<std::string> subjects, devices;
  ModelRequest sizes;  // of networks; its source is not used
  std::optional<int64_t> batch;
  StepRequest step;
  TrainingRequest training;
  ServingRequest serving;
  JobRequest work;
  std::optional<Framework> framework;
  FrameworkRun run;
  double load_line = kLoadLine;
  std::string output = "report.html";
  bool no_judging = false;

  void describe(Fields& fields);

  // The same, asked of fit about the first device, and of place about the devices that were asked for or about all.
  FitRequest fit(const ModelRequest& model) const;
  PlaceRequest place(const ModelRequest& model, bool all_devices) const;
};

}  // namespace plimsoll
