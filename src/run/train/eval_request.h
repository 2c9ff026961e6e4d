// eval, asked and answered: how good is a trained network on data?
#pragma once

#include <algorithm>

#include "run/train/engine_of_run.h"
#include "run/train/evaluate_network.h"

namespace plimsoll {

struct EvalRequest {
  std::string checkpoint;
  std::optional<std::string> data, part;
  std::optional<int64_t> batch, loaders;
  EngineOfRun engine;

  void describe(Fields& fields);
};

struct EvalOutcome {
  std::string checkpoint, data, part;
  int64_t step = 0;
  std::vector<std::string> class_names;
  Evaluation evaluation;
  Seconds seconds;
  int64_t tokens = 0;  // of a language model's sequence; else 0

  // Of a language model the evaluation counts tokens.
  int64_t samples() const { return evaluation.all.samples / std::max<int64_t>(tokens, 1); }

  std::string class_name(int64_t label) const;             // its number where it has no name
  std::optional<double> accuracy_of(int64_t label) const;  // nullopt: no sample of this class
};

Result<EvalOutcome> ask_eval(const EvalRequest& request, const DataLines& say);

}  // namespace plimsoll
