// What fit answers, as people read it.
#pragma once

#include <string>

#include "plan/ask/fit_request.h"

namespace plimsoll {

std::string fit_text(const FitOutcome& outcome);

}  // namespace plimsoll
