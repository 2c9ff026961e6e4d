// What a run keeps of the request that it was started with, and how a later call takes it over. Which fields may
// change, and which ones workers must agree on, the rows say.
#pragma once

#include "run/train/train_request.h"

namespace plimsoll {

// The fields that belong to the run and differ from their defaults.
Json kept_request(TrainRequest& request);

// The fields on which all workers of a run must agree.
Json agreed_request(TrainRequest& request);

// Takes what is not among `given` from a run. What is given must be what the run was started with, unless it may
// change.
Status take_over(TrainRequest& request, const std::vector<std::string>& given, const Json& kept);

// {"--batch": "32", "MODEL": "lenet5"}: as runs and sweeps kept them before requests had types.
Result<TrainRequest> request_from_flags(const Json& flags);

// From a run's configuration: its request, also of runs that kept the flags as they were typed. Null where it has none.
Result<Json> kept_in(const Json& config);

}  // namespace plimsoll
