// What would carry more of a training, each change with what it costs in time, and, where no single one is enough, the
// changes together that are.
#pragma once

#include "plan/llm/token_fit.h"

namespace plimsoll {

std::vector<TokenAlternative> token_alternatives(const TokenQuestion& question, const TokenFitAnswer& answer);

}  // namespace plimsoll
