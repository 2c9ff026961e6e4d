// How good a network is on a dataset: loss and accuracy over all of its samples, in order, each once. The last batch is
// filled up, and what fills it is not counted.
#pragma once

#include "run/data/loader.h"
#include "run/train/judge.h"

namespace plimsoll {

inline constexpr int64_t kMostConfusedClasses = 1000;
inline constexpr size_t kMostMistakes = 20;

// A sample that was taken for something else.
struct Mistake {
  int64_t index = 0;  // in the dataset
  int64_t label = 0, chosen = 0;
  double loss = 0;
};

struct Evaluation {
  Tally all;                              // of a language model's tokens, and nothing else
  std::vector<int64_t> samples, correct;  // of each class
  std::vector<int64_t> confusion;  // classes × classes: row the label, column what was chosen; empty with very many
  std::vector<Mistake> worst;      // those with the highest loss, the highest first

  int64_t classes() const { return int64_t(samples.size()); }
};

// `inference` holds its parameters. Told to stop (Interruption), it ends early: `whole` is false then.
struct Evaluated {
  Evaluation evaluation;
  bool whole = true;
};
Result<Evaluated> evaluate_network(Executor& inference, Judge& judge, const DatasetPtr& dataset, LoaderOptions options);

}  // namespace plimsoll
