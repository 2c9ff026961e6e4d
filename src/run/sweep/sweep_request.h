// sweep, asked: a training with lists of batches, learning rates and seeds in place of one of each.
#pragma once

#include "run/train/train_request.h"

namespace plimsoll {

struct SweepRequest {
  TrainRequest train;  // what all runs have in common; its run_dir is the sweep's folder
  std::vector<int64_t> batches{kDefaultTrainBatch};
  std::vector<double> rates;   // empty: the optimizer's usual one
  std::vector<int64_t> seeds;  // empty: the usual one
  std::optional<double> goal_loss;

  void describe(Fields& fields);
  std::string folder() const;
};

// What is wrong with the request itself, before the first run.
Status check(const SweepRequest& request);

}  // namespace plimsoll
