// A sweep's folder: what all its runs have in common is kept in sweep.json, by the names of the rows. Batches, rates
// and seeds may be added later, and what belongs to the machine may change.
#pragma once

#include "run/sweep/sweep_request.h"

namespace plimsoll {

// Makes the folder, or holds the request against what the sweep in it was started with.
Status open_sweep_folder(const SweepRequest& request);

}  // namespace plimsoll
