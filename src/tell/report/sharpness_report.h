// What sharpness says: how sharply the loss rises around trained weights, as text, JSON and a plot.
#pragma once

#include "run/surface/surface.h"
#include "tell/report/json.h"
#include "tell/report/plot.h"

namespace plimsoll {

struct RunSharpness {
  std::string run;  // as it was named
  std::string model, data;
  int64_t batch = 0, step = 0, samples = 0;
  double loss = 0;
  std::vector<Sharpness> boxes;            // one for each epsilon
  std::vector<double> positions;           // along each direction, in lengths of the filters
  std::vector<std::vector<double>> along;  // one list for each direction
  double mean_along(size_t position) const;
};

std::string sharpness_text(const std::vector<RunSharpness>& runs);
Json sharpness_json(const std::vector<RunSharpness>& runs);
Plot sharpness_plot(const std::vector<RunSharpness>& runs);

}  // namespace plimsoll
