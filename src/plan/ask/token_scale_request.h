// scale of a training of a network of tokens, asked by the same ScaleRequest and answered by plan/llm: tokens a second
// on each number of devices, with the plan as asked or, with search, the best few of all.
#pragma once

#include "plan/ask/scale_request.h"
#include "plan/llm/token_search.h"

namespace plimsoll {

struct TokenScaleRun {
  TokenPlacement placement;
  double efficiency = 1;               // tokens a second of a device against those of the smallest number of devices
  std::vector<TokenPlacement> others;  // of a search: the next best
  int64_t tried = 0, fitting = 0;      // plans of a search
  std::string why_not;                 // nothing fits
};

struct TokenScaleOutcome {
  std::string model, device, format;
  TrainingSetup setup;  // as asked
  Wiring wiring;
  int64_t sequence = 0;
  double tokens = 0, global_tokens = 0;
  bool searched = false, aim_met = true;
  std::vector<TokenScaleRun> runs;
  std::vector<std::string> reasons, notes;

  bool fits() const;
};
inline bool is_yes(const TokenScaleOutcome& outcome) { return outcome.fits() && outcome.aim_met; }

// Whether the request is for it; see trains_tokens().
Result<bool> is_token_scale(const ScaleRequest& request);

Result<TokenScaleOutcome> ask_token_scale(const ScaleRequest& request);

}  // namespace plimsoll
