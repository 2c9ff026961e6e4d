// Schedule: the learning rate of every step. It depends on the step's number alone, so a run that goes on has the rates
// it would have had.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace plimsoll {

enum class ScheduleKind { constant, step, cosine, poly };

struct Schedule {
  ScheduleKind kind = ScheduleKind::constant;
  double base = 0.01;
  int64_t steps = 1;     // of the whole run; cosine and poly reach 0 after the last
  int64_t warmup = 0;    // steps in which the rate grows to base
  double warm_from = 0;  // from this share of base on
  int64_t every = 1;     // step: times `factor` each so many steps after the warm-up
  double factor = 0.1;   // step
  double power = 2;      // poly

  double at(int64_t step) const;  // from 0
};

// What stands after --schedule: "constant", "cosine", "poly", "poly:0.9", "step" (a tenth at each third of the run),
// "step:30", "step:30:0.5" (each 30 epochs, times 0.5). Sets kind, every, factor and power.
Status parse_schedule(const std::string& text, int64_t epochs, int64_t steps_per_epoch, Schedule& schedule);

// What stands after --warmup: "500" steps or "5epochs".
Result<int64_t> parse_warmup(const std::string& text, int64_t steps_per_epoch);

}  // namespace plimsoll
