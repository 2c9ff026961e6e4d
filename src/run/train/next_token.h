// NextToken: a language model as it is asked for one token after another.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "run/exec/executor.h"

namespace plimsoll {

class NextToken {
 public:
  virtual ~NextToken() = default;
  // The scores of what follows; good until the next call. `tokens` are at least one.
  virtual std::span<const float> scores_after(const std::vector<int64_t>& tokens) = 0;
};

// `inference`: of a batch of one, with its parameters; it outlives the result. With a position as its second input it
// reads one token at a time and keeps the others (model/passes/decoding_step.h): then only tokens that were not there
// before are read, at most as many as its caches have room for. Otherwise it reads the whole sequence for each token,
// of longer ones the last.
std::unique_ptr<NextToken> next_token_of(Executor& inference);

}  // namespace plimsoll
