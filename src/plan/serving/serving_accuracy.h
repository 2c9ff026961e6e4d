// How far off answers about serving have been, against published runs of others: computed by
// tests/numeric/serving_test.cpp, which holds these figures to the measurements.
#pragma once

#include <span>

#include "plan/serving/serving_profile.h"

namespace plimsoll {

struct ServingAccuracy {
  Framework framework;
  ServedOn on;
  std::string_view what;  // "memory", "tokens per second", "prompt tokens per second"
  int64_t rows = 0;
  double median_error = 0;  // 0.1: half of the answers are within 10 % of the measurement
};

std::span<const ServingAccuracy> serving_accuracy();

// One sentence about answers of this kind: their error, or that nothing is known of it.
std::string accuracy_sentence(Framework framework, ServedOn on);

}  // namespace plimsoll
