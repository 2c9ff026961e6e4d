// PyTorch under autocast on cards since Ampere: measured steps of networks that the zoo has, beside our predictions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plan/time/execution.h"
#include "plan/time/timed_program.h"

namespace plimsoll {

struct ModernStep {
  std::string network, device, mode;  // training or inference
  int64_t image = 224, batch = 1;
  Execution execution;
  double measured = 0, predicted = 0;  // seconds
  std::shared_ptr<const TimedProgram> program;

  double ratio() const { return predicted / measured; }
};

// All rows of tests/data/facts/modern/zoo_steps.csv, predicted.
std::vector<ModernStep> modern_steps();

}  // namespace plimsoll
