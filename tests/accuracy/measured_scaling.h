// Forecasts for several workers beside published runs: images per second, and efficiency, which is images per second
// over those of as many single workers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/accuracy/accuracy_table.h"

namespace plimsoll {

struct ComparedScaling {
  std::string source, network, exchange;
  int64_t workers = 1, batch = 1;
  std::optional<double> images, efficiency;  // as published; of one worker there is no efficiency
  double predicted_images = 0, predicted_efficiency = 1;
};

// tests/data/facts/scaling_published.csv and the images per second of convergence_table.csv.
std::vector<ComparedScaling> compare_scaling();

// Of DataParallel, predicted over measured: how many times faster so many GPUs are than one.
std::vector<double> speed_up_ratios(const std::vector<ComparedStep>& steps, int64_t devices, bool trains);

std::string scaling_table(const std::vector<ComparedStep>& steps,
                          const std::vector<ComparedScaling>& runs);  // src/plan/time/scaling_accuracy_table.inc
std::string scaling_chapter(const std::vector<ComparedStep>& steps,
                            const std::vector<ComparedScaling>& runs);  // the part of docs/accuracy.md

}  // namespace plimsoll
