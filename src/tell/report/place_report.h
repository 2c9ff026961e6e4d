// What place answers, as people read it.
#pragma once

#include <string>
#include <vector>

#include "plan/ask/place_request.h"

namespace plimsoll {

// The first of them, and the verdict's wherever it is ranked.
std::vector<const JobPlacement*> shown_rows(const std::vector<JobPlacement>& ranked, size_t most,
                                            const Verdict& verdict);

// The name as it is in a table: with a mark where it was chosen or does not fit.
std::string device_text(const JobPlacement& placement, const Verdict& verdict);

std::string place_text(const PlaceOutcome& outcome);

}  // namespace plimsoll
