// The fitted numbers of the time model, in one table (time_parameters.inc): each with its value, what was expected of
// it, the range that makes physical sense, and its meaning. tools/fit_step_time.py fits them to the measurements of
// tests/data/facts.
#pragma once

#include <span>
#include <string_view>

namespace plimsoll {

struct TimeParameters {
#define PLIM_TIME(name, value, expected, low, high, meaning) double name = value;
#include "plan/time/time_parameters.inc"
#undef PLIM_TIME
};

struct TimeParameter {
  std::string_view name;
  double TimeParameters::*member;
  double expected, low, high;
  std::string_view meaning;
};

std::span<const TimeParameter> all_time_parameters();

}  // namespace plimsoll
