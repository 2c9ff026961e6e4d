// sharpness, asked and answered: is the minimum that a run found sharp or flat?
#pragma once

#include "run/surface/surface.h"
#include "run/train/engine_of_run.h"

namespace plimsoll {

struct SharpnessRequest {
  std::vector<std::string> runs;
  std::vector<double> epsilons{0.001, 0.0005};
  int64_t samples = 2000, steps = 10, directions = 3, points = 21;
  double span = 1;
  int64_t batch = 100, seed = 0;
  EngineOfRun engine;

  void describe(Fields& fields);
};

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

struct SharpnessOutcome {
  std::vector<RunSharpness> runs;
};

// `say`: what is being done, line by line.
Result<SharpnessOutcome> ask_sharpness(const SharpnessRequest& request, const DataLines& say);

}  // namespace plimsoll
