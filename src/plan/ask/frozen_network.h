// Networks of which a part is not trained, as "freeze:PATTERNS" of a request's method says.
#pragma once

#include "plan/ask/training_request.h"
#include "plan/verdict/network.h"

namespace plimsoll {

// The same network where nothing rests, or nothing is trained.
std::shared_ptr<const Network> with_frozen(std::shared_ptr<const Network> network, const TrainingRequest& training,
                                           Mode mode);

// A sentence about what rests; empty: all is trained.
std::string frozen_text(const TrainingRequest& training, Mode mode);

}  // namespace plimsoll
