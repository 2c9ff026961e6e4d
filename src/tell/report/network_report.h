// The report of a network: its layers, the memory of a step, the batch against devices' lines, the roofline, what is
// where, and the devices ranked with a verdict. As the body of a page; network_reply.h has the same as JSON.
#pragma once

#include "plan/verdict/batch_curve.h"
#include "plan/verdict/roofline.h"
#include "plan/verdict/step_operations.h"
#include "tell/report/fit_report.h"
#include "tell/report/html.h"
#include "tell/report/place_report.h"
#include "tell/report/weigh_report.h"

namespace plimsoll {

struct DeviceLine {
  std::string device;
  Bytes line;  // its load line
};

struct NetworkReport {
  std::string model;
  std::string samples = "samples";  // what they are called
  std::string command;              // that asks for it again
  Weight weight;
  const FitOutcome* fit = nullptr;
  std::vector<BatchCurve> curves;
  std::vector<DeviceLine> lines;
  std::optional<Roof> roof;
  std::optional<StepOperations> step;  // absent where it cannot be told operation by operation
  PlaceOutcome by_time, by_money;
  bool devices_asked = false;  // the verdict is about certain devices, not about all that are ranked
  std::vector<std::string> notes;
};

void add_network(HtmlPage& page, const NetworkReport& report);

}  // namespace plimsoll
