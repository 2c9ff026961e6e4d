// place of a network that generates text: asked by the rows of PlaceRequest, answered here.
#pragma once

#include "plan/ask/place_request.h"
#include "plan/serving/serving_place.h"

namespace plimsoll {

struct ServingPlaceOutcome {
  std::shared_ptr<const ServedNetwork> network;  // what the placements borrow
  std::string model, weights, kv;
  int64_t prompt = 0, output = 0, concurrency = 1;
  double load_line = 0;
  size_t top = 20;  // rows; all in JSON
  std::vector<ServingPlacement> ranked;
  ServingVerdict verdict;
  std::vector<std::string> notes, not_placed;
};
inline bool is_yes(const ServingPlaceOutcome& outcome) { return !outcome.verdict.choice.empty(); }

Result<ServingPlaceOutcome> ask_serving_place(const PlaceRequest& request, const Network& network);

}  // namespace plimsoll
