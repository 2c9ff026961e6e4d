// The report of a network: its layers, the memory of a step, the batch against devices' lines, the roofline, what is
// where, and the devices ranked with a verdict. As the body of a page and as JSON; both are made of the same numbers.
#pragma once

#include "plan/verdict/residence.h"
#include "tell/report/fit_report.h"
#include "tell/report/html.h"
#include "tell/report/place_report.h"
#include "tell/report/weigh_report.h"

namespace plimsoll {

struct BatchLoadPoint {
  int64_t batch = 1;
  Bytes peak;
};

struct BatchCurve {
  std::string framework;
  std::vector<BatchLoadPoint> points;
};

struct DeviceLine {
  std::string device;
  Bytes line;  // its load line
};

// One operation of the step on the roofline.
struct RoofPoint {
  std::string name, kind;  // "layer1.0.conv1", "convolution"
  double intensity = 0;    // FLOPs for each byte that must be moved
  double rate = 0;         // FLOP/s, as predicted
  Seconds seconds;
};

struct Roof {
  std::string device;
  FlopsPerSecond peak;
  BytesPerSecond bandwidth;
  std::vector<RoofPoint> points;
};

struct NetworkReport {
  std::string model;
  Weight weight;
  const FitQuestion* question = nullptr;
  const FitAnswer* answer = nullptr;
  FitView fit_view;
  std::vector<BatchCurve> curves;
  std::vector<DeviceLine> lines;
  std::optional<Roof> roof;
  std::optional<Residence> residence;
  const Job* job = nullptr;
  std::vector<JobPlacement> by_time, by_money;
  Verdict verdict;
  bool devices_asked = false;  // the verdict is about certain devices, not about all that are ranked
  std::vector<std::string> notes;
};

void add_network(HtmlPage& page, const NetworkReport& report);
Json network_json(const NetworkReport& report);

}  // namespace plimsoll
