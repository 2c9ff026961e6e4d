// What would make room for serving that does not fit: other formats, fewer sequences, more devices, layers on the host.
#pragma once

#include "plan/serving/serving_fit.h"

namespace plimsoll {

// Only what fits under the line; the nearest first: what changes least, then what is quickest.
std::vector<ServingAlternative> serving_alternatives(const ServingSetup& setup, Bytes line);

// Tensor-parallel degrees that divide the heads of every layer, ascending, 1 included.
std::vector<int64_t> possible_tensor_parallel(const ServedNetwork& network, int64_t most);

}  // namespace plimsoll
