// A sweep from its request to its end: a run of train for each point, as a program of its own, one after the other.
// What has been trained is not trained again.
#pragma once

#include "run/sweep/sweep_outcome.h"
#include "run/sweep/sweep_request.h"

namespace plimsoll {

struct SweepEvents {
  std::function<void(const std::string& line)> say;  // which run begins
  bool quiet = false;                                // the runs' own messages are not shown
};

// A run that ended otherwise than trained or diverged; it ends the sweep.
struct SweepStop {
  std::string run_dir;
  int exit_code = 0;

  bool told() const;  // it was told to stop: the same request goes on from there
};

struct SweepEnding {
  SweepOutcome outcome;  // whole where nothing stopped it
  std::optional<SweepStop> stopped;
};

Result<SweepEnding> ask_sweep(const SweepRequest& request, const SweepEvents& events);

}  // namespace plimsoll
