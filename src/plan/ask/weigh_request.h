// weigh, asked and answered: what does a network weigh? With several networks: side by side.
#pragma once

#include "plan/ask/network_loader.h"
#include "plan/time/time_to_result.h"
#include "plan/weight/layer_rows.h"

namespace plimsoll {

struct WeighRequest {
  std::vector<ModelSource> models;
  ModelRequest sizes;  // of all of them; its source is not used
  std::optional<int64_t> batch;
  Mode mode = Mode::train;
  std::string optimizer;
  std::optional<std::string> sort;
  std::optional<int64_t> depth, top, units;
  std::vector<int64_t> epochs;
  std::vector<Seconds> epoch_time;

  WeighRequest();
  void describe(Fields& fields);
  WeighView view() const;
};

struct WeighOutcome {
  WeighView view;
  std::vector<Weight> weights;      // one a network
  std::vector<Training> trainings;  // empty, or one a network
};

// What is wrong with the request itself, before a large file is read.
Status check(const WeighRequest& request);

Result<Weight> weigh_one(const WeighRequest& request, const ModelSource& source, const Network& network);

// One number of epochs and one time an epoch for every network; empty where none is given.
Result<std::vector<Training>> trainings_of(const WeighRequest& request);

Result<WeighOutcome> ask_weigh(const WeighRequest& request, const NetworkLoader& load = load_shared_network);

}  // namespace plimsoll
