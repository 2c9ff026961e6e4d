#include "plan/time/accuracy.h"

namespace plimsoll {

std::span<const AccuracyRow> step_time_accuracy() {
  static constexpr AccuracyRow kRows[] = {
#define PLIM_ACCURACY(measured, rows, median_error, worst_factor, within_30) \
  {measured, rows, median_error, worst_factor, within_30},
#include "plan/time/accuracy_table.inc"
#undef PLIM_ACCURACY
  };
  return kRows;
}

}  // namespace plimsoll
