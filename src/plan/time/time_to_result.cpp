#include "plan/time/time_to_result.h"

namespace plimsoll {

size_t first_done(std::span<const Training> trainings) {
  size_t best = 0;
  for (size_t i = 1; i < trainings.size(); ++i)
    if (trainings[i].total() < trainings[best].total()) best = i;
  return best;
}

}  // namespace plimsoll
