// What --wire says: the format of gradients on their way between workers.
#pragma once

#include <string>

#include "base/dtype.h"
#include "base/result.h"

namespace plimsoll {

Result<DType> parse_wire(const std::string& name);

}  // namespace plimsoll
