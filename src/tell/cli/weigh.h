// plimsoll weigh for whoever asks: its flags, and its answer before it is written as text or JSON.
#pragma once

#include "plan/weight/weigh.h"
#include "tell/cli/model_flags.h"
#include "tell/report/weigh_report.h"

namespace plimsoll {

struct WeighFlags {
  WeighFlags();

  std::vector<std::string> models;
  ModelFlags model;
  std::string mode = "train", optimizer, sort, depth, top, units, epochs, epoch_time;
  bool json = false, csv = false, markdown = false, quiet = false;

  void declare(CLI::App& app);
};

// How the layers are shown.
Result<WeighView> weigh_view(const WeighFlags& flags);

// One of the networks.
Result<Weight> weight_of(const WeighFlags& flags, const Network& network);

}  // namespace plimsoll
