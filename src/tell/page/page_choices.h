// What can be chosen on the page: networks, devices, formats, optimizers, frameworks, and the verbs that answer.
#pragma once

#include "base/result.h"
#include "base/rows/json.h"

namespace plimsoll {

Result<Json> page_choices();

}  // namespace plimsoll
