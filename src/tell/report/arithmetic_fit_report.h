// What fit answers by arithmetic alone, as people read it.
#pragma once

#include <string>

#include "plan/ask/fit_request.h"

namespace plimsoll {

std::string arithmetic_fit_text(const ArithmeticOutcome& outcome);

}  // namespace plimsoll
