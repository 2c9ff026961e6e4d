// predict, asked and answered: which classes does a trained network see in pictures?
#pragma once

#include "run/train/engine_of_run.h"

namespace plimsoll {

struct PredictRequest {
  std::string checkpoint;
  std::vector<std::string> pictures;
  int64_t top = 3;
  EngineOfRun engine;

  void describe(Fields& fields);
};

struct Guess {
  int64_t index = 0;
  std::string name;
  double probability = 0;
};

struct GuessedPicture {
  std::string file;
  std::vector<Guess> classes;  // likeliest first
};

struct PredictOutcome {
  std::string checkpoint;
  int64_t step = 0;
  std::vector<GuessedPicture> pictures;
};

Result<PredictOutcome> ask_predict(const PredictRequest& request);

// The `most` likeliest, equal ones in the order of their numbers. Classes without a name are called by their number.
std::vector<Guess> likeliest(const std::vector<double>& probabilities, const std::vector<std::string>& names,
                             size_t most);

}  // namespace plimsoll
