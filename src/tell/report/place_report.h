// The answer of place as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "plan/verdict/verdict.h"
#include "plan/weight/uncounted.h"
#include "tell/report/json.h"

namespace plimsoll {

struct PlaceView {
  std::string model;
  size_t top = 20;                      // rows; all in JSON
  std::vector<std::string> not_placed;  // devices that could not be asked, each with its reason
  std::vector<std::string> notes;
  Uncounted uncounted;  // by which times and memory are lower bounds
};

// The first `most` of a ranking, and what was chosen where it is not among them.
std::vector<const JobPlacement*> shown_rows(const std::vector<JobPlacement>& ranked, size_t most,
                                            const Verdict& verdict);

// The name as it is in a table: with a mark where it was chosen or does not fit.
std::string device_text(const JobPlacement& placement, const Verdict& verdict);

std::string place_text(const Job& job, const std::vector<JobPlacement>& ranked, const Verdict& verdict,
                       const PlaceView& view);
Json place_json(const Job& job, const std::vector<JobPlacement>& ranked, const Verdict& verdict, const PlaceView& view);

}  // namespace plimsoll
