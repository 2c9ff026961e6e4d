#include "plan/time/accuracy.h"

namespace plimsoll {

#define PLIM_ACCURACY(measured, rows, median_error, worst_factor, within_30) \
  {measured, rows, median_error, worst_factor, within_30},

std::span<const AccuracyRow> step_time_accuracy() {
  static constexpr AccuracyRow kRows[] = {
#include "plan/time/accuracy_table.inc"
  };
  return kRows;
}

std::span<const AccuracyRow> scaling_accuracy() {
  static constexpr AccuracyRow kRows[] = {
#include "plan/time/scaling_accuracy_table.inc"
  };
  return kRows;
}

#undef PLIM_ACCURACY

}  // namespace plimsoll
