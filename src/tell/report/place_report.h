// The answer of place as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "plan/verdict/verdict.h"
#include "tell/report/json.h"

namespace plimsoll {

struct PlaceView {
  std::string model;
  size_t top = 20;                      // rows; all in JSON
  std::vector<std::string> not_placed;  // devices that could not be asked, each with its reason
  std::vector<std::string> notes;
};

std::string place_text(const Job& job, const std::vector<JobPlacement>& ranked, const Verdict& verdict,
                       const PlaceView& view);
Json place_json(const Job& job, const std::vector<JobPlacement>& ranked, const Verdict& verdict, const PlaceView& view);

}  // namespace plimsoll
