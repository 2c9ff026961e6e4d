// What eval says: loss and accuracy, of each class too, and what was taken for what.
#pragma once

#include "run/train/evaluate_network.h"
#include "tell/report/json.h"

namespace plimsoll {

struct EvalView {
  std::string checkpoint, data, part;
  int64_t step = 0;
  std::vector<std::string> class_names;
  Evaluation evaluation;
  Seconds seconds;
};

std::string eval_text(const EvalView& view);
Json eval_json(const EvalView& view);

}  // namespace plimsoll
