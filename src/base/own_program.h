// The file that this process runs: what starts more of the same kind has to name it.
#pragma once

#include <string>

#include "base/result.h"

namespace plimsoll {

Result<std::string> own_program();

}  // namespace plimsoll
