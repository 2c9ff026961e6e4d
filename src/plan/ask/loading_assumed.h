// What is assumed about loading where files are read and nobody said how fast a core decodes them.
#pragma once

#include "plan/ask/loading_request.h"

namespace plimsoll {

// The usual rate stands in for an absent one.
std::optional<SamplesPerSecond> decoding_of(const LoadingRequest& request);

// Says so in a sentence; "" where nothing was assumed.
std::string assumed_decoding(const LoadingRequest& request);

}  // namespace plimsoll
