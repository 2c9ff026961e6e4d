// token_search: for a number of devices, the plans of a training that are quickest of those that fit: how the devices
// are divided into copies, tensor-parallel groups, stages, parts of a sequence and of the experts, what is sharded and
// what is computed again. A step is timed from its distinct blocks and its memory replayed for one device, however many
// there are.
#pragma once

#include "plan/llm/token_place.h"

namespace plimsoll {

struct TokenSearch {
  std::vector<TokenPlacement> best;  // quickest first; all fit
  int64_t tried = 0, fitting = 0;
  std::optional<TokenPlacement> leanest;  // of those that do not fit, where none does
};

struct SearchLimits {
  double global_tokens = 0;  // of a step; 0: one micro-batch, or as many as a pipeline wants
  size_t shown = 5;
};

// The job's own degrees of more than 1 are kept.
Result<TokenSearch> token_search(const TokenJob& job, const Candidate& device, const Wiring& wiring, int64_t workers,
                                 const SearchLimits& limits);

}  // namespace plimsoll
