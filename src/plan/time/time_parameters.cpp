#include "plan/time/time_parameters.h"

#include "plan/time/execution.h"

namespace plimsoll {

std::span<const TimeParameter> all_time_parameters() {
  static constexpr TimeParameter kAll[] = {
#define PLIM_TIME(name, value, expected, low, high, meaning) \
  {#name, &TimeParameters::name, expected, low, high, meaning},
#include "plan/time/time_parameters.inc"
#undef PLIM_TIME
  };
  return kAll;
}

}  // namespace plimsoll
