// place of a training of a network of tokens as text.
#pragma once

#include <string>

#include "plan/ask/token_place_request.h"

namespace plimsoll {

std::string token_place_text(const TokenPlaceOutcome& outcome);

}  // namespace plimsoll
