// The arithmetic form of fit as people and programs read it.
#pragma once

#include <string>

#include "plan/verdict/arithmetic_fit.h"
#include "plan/verdict/past_line.h"
#include "tell/report/json.h"

namespace plimsoll {

struct ArithmeticFitView {
  bool asked = false;  // a batch was asked for; else the largest
  std::string device;  // empty when only a memory was given
};

std::string arithmetic_fit_text(const ArithmeticFit& fit, const PastLine& past, const ArithmeticFitView& view);

// schema plimsoll.fit/1. `batch` is the one asked for, else the largest, 0 when nothing fits; peak_bytes and breakdown
// are then of one sample.
Json arithmetic_fit_json(const ArithmeticFit& fit, const PastLine& past, const ArithmeticFitView& view);

}  // namespace plimsoll
