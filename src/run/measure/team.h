// Several threads that start the same work at the same moment, and how much of it they get done in a second.
// Threads inherit the affinity of the process, so they stay on the cores it is allowed.
#pragma once

#include <functional>

#include "base/result.h"
#include "base/units.h"

namespace plimsoll {

// Runs work(member) for every member of the team at once; the time from the start to the end of the last. A team
// of one is the calling thread.
Result<Seconds> run_together(int threads, const std::function<void(int member)>& work);

struct Effort {
  int repetitions = 7;  // the median of so many counts; of fewer when a busy machine takes too long, never below 3
  Seconds each{0.02};   // about how long one takes
};

// How many rounds a second all members together do.
Result<double> median_rate(int threads, const Effort& effort,
                           const std::function<void(int member, int64_t rounds)>& work);

}  // namespace plimsoll
