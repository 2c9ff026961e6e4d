// Forecasts for two workers beside what bench/two_workers.py has measured of them: a step, how much of the exchange is
// hidden, and how fast both are together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

struct TwoWorkers {
  double step = 0;                           // seconds
  std::optional<double> hidden, efficiency;  // of one worker there is neither
};

struct ComparedTwoWorkers {
  std::string network, link;  // "beside": two trainings that know nothing of each other
  int64_t batch = 1;
  TwoWorkers measured, predicted;
};

// tests/accuracy/two_workers.csv, on the machine of two_workers_machine.json.
std::vector<ComparedTwoWorkers> compare_two_workers();

std::string two_workers_chapter(const std::vector<ComparedTwoWorkers>& runs);  // the part of docs/accuracy.md

}  // namespace plimsoll
