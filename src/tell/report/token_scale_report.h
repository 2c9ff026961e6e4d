// scale of a training of a network of tokens as text.
#pragma once

#include "plan/ask/token_scale_request.h"
#include "tell/report/table.h"

namespace plimsoll {

// One row for each number of devices.
Table token_scale_table(const TokenScaleOutcome& outcome);

std::string token_scale_text(const TokenScaleOutcome& outcome);

}  // namespace plimsoll
