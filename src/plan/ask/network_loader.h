// NetworkLoader: where networks come from: read anew each time, or from whoever keeps them.
#pragma once

#include <functional>

#include "plan/ask/model_request.h"

namespace plimsoll {

using NetworkLoader = std::function<Result<std::shared_ptr<const Network>>(const ModelRequest& request)>;

// The plain one: reads it anew.
Result<std::shared_ptr<const Network>> load_shared_network(const ModelRequest& request);

}  // namespace plimsoll
