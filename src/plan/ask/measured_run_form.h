// A measured step as people write it: resnet50:64:amp=123ms. NETWORK:BATCH, then in any order a number format, train or
// inference, nhwc, compile and the tokens of a text (512tokens); after the last '=' the time of a step.
#pragma once

#include "base/rows/form.h"
#include "plan/ask/machine_request.h"
#include "plan/ask/model_request.h"
#include "plan/ask/step_request.h"

namespace plimsoll {

struct WrittenRun {
  std::string text;  // as it was given
  ModelRequest model;
  int64_t batch = 1;
  Mode mode = Mode::train;
  FrameworkRun run;
  Seconds step;

  // Two texts with the same case are of the same step: what stands before the '='.
  std::string measured_case() const { return text.substr(0, text.rfind('=')); }
};

template <>
struct Form<WrittenRun> : TextForm<WrittenRun> {
  static Result<WrittenRun> parse(const Row& row, const std::string& called, const std::string& text);
  static Json write(const WrittenRun& value) { return value.text; }
};

}  // namespace plimsoll
