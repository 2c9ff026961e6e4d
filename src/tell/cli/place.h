// plimsoll place for whoever asks: its flags, and its answer before it is written as text or JSON.
#pragma once

#include "tell/cli/loading_flags.h"
#include "tell/cli/model_flags.h"
#include "tell/cli/step_flags.h"
#include "tell/report/place_report.h"

namespace plimsoll {

struct PlaceFlags {
  std::string model;
  ModelFlags network;
  StepFlags step;
  LoadingFlags loading;
  std::vector<std::string> devices;
  std::string samples, epochs, framework, load_line, price, by = "time", top;
  bool accuracy = false, json = false, quiet = false;

  void declare(CLI::App& app);
};

struct PlaceOutcome {
  Job job;  // borrows the network
  std::vector<JobPlacement> ranked;
  Verdict verdict;
  PlaceView view;
};

Result<PlaceOutcome> place_outcome(const PlaceFlags& flags, const Network& network);

}  // namespace plimsoll
