// What fit answers, in sentences: the same for every reader.
#pragma once

#include "plan/ask/fit_request.h"

namespace plimsoll {

std::vector<std::string> sentences(const FitOutcome& outcome);
std::vector<std::string> sentences(const ArithmeticOutcome& outcome);

// "conv: 14 winograd, 6 direct"
std::string conv_text(const std::map<ConvMethod, int64_t>& methods);

}  // namespace plimsoll
