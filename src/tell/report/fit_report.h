// The answer of fit as text and as JSON.
#pragma once

#include <string>

#include "plan/verdict/fit.h"
#include "plan/verdict/past_line.h"
#include "tell/report/json.h"

namespace plimsoll {

struct FitView {
  std::string model, device;  // device: empty when a size of memory was given
  PastLine past;
};

std::string fit_text(const FitQuestion& question, const FitAnswer& answer, const FitView& view);
Json fit_json(const FitQuestion& question, const FitAnswer& answer, const FitView& view);

}  // namespace plimsoll
