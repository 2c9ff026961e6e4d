// JudgedRun: how good a run's best weights are now, on the data that it was trained with, where that still is.
#pragma once

#include "run/data/training_data.h"
#include "run/train/evaluate_network.h"

namespace plimsoll {

struct JudgedRun {
  struct Sample {
    std::string name;  // its file, or where it is
    std::string png;   // empty when it is no picture
  };

  std::string part;
  int64_t tokens = 0;  // of a language model's sequence; else 0
  Evaluation evaluation;
  std::vector<Sample> worst;  // of the evaluation's worst mistakes
};

Result<JudgedRun> judge_run(const std::string& folder, const DataLines& say);

}  // namespace plimsoll
