// What eval says: loss and accuracy, of each class too, and what was taken for what.
#pragma once

#include "run/train/eval_request.h"

namespace plimsoll {

std::string eval_text(const EvalOutcome& outcome);

}  // namespace plimsoll
