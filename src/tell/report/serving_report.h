// Answers about a network that generates text, for people to read.
#pragma once

#include <string>

#include "plan/ask/serving_fit_request.h"
#include "plan/ask/serving_place_request.h"

namespace plimsoll {

std::string serving_fit_text(const ServingFitOutcome& outcome);
std::string serving_place_text(const ServingPlaceOutcome& outcome);

}  // namespace plimsoll
