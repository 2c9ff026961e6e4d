// Published runs of programs that serve language models, each beside what we answer for it.
#pragma once

#include <string>
#include <vector>

#include "plan/serving/serving_profile.h"

namespace plimsoll {

struct ServingRun {
  Framework framework = Framework::vllm;
  ServedOn on = ServedOn::gpu;
  std::string measure;  // decode, prefill, throughput (of a whole request), memory
  std::string model, device, weights;
  int64_t devices = 1, sequences = 1, prompt = 0;
  double measured = 0, predicted = 0;

  double error() const;
};

std::vector<ServingRun> serving_speed_runs();   // tests/data/facts/serving_speed.csv
std::vector<ServingRun> serving_memory_runs();  // tests/data/facts/serving_memory.csv

}  // namespace plimsoll
