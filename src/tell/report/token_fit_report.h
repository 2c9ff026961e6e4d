// fit of a training of a network of tokens as text.
#pragma once

#include <string>

#include "plan/ask/token_fit_request.h"

namespace plimsoll {

std::string token_fit_text(const TokenFitOutcome& outcome);

}  // namespace plimsoll
