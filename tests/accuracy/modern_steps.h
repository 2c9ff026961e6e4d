// PyTorch on GPUs: measured steps of networks that the zoo has, beside our predictions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plan/time/execution.h"
#include "plan/time/timed_program.h"

namespace plimsoll {

struct ModernStep {
  std::string set, network, device, mode;  // mode: training or inference
  std::string dtype = "amp", optimizer = "momentum";
  int64_t image = 224, batch = 1;
  Execution execution;
  double measured = 0, predicted = 0, launch = 0;  // seconds; launch: of the predicted ones, waiting for the host

  std::shared_ptr<const TimedProgram> program;

  double ratio() const { return predicted / measured; }
};

// All rows of a file of tests/data/facts/modern, predicted. zoo_steps.csv: under autocast, on cards since Ampere;
// network_steps.csv: of several sources, formats and generations.
std::vector<ModernStep> modern_steps(const std::string& file = "zoo_steps.csv");

}  // namespace plimsoll
